#include "lite/nnadapter/runtime/core_model.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <unordered_map>

#include "lite/nnadapter/runtime/error.h"
#include "lite/nnadapter/runtime/operand_type.h"
#include "lite/nnadapter/runtime/operation.h"
#include "nnadapter/hal/graph.h"

namespace nnadapter::runtime {
namespace {

void* Duplicate(const void* data, size_t size) {
  void* copy = std::malloc(std::max<size_t>(size, 1));
  if (!copy) throw std::bad_alloc();
  std::memcpy(copy, data, size);
  return copy;
}

void FreeOnce(void* memory, std::unordered_set<void*>* freed) noexcept {
  if (!memory) return;
  try {
    if (!freed->insert(memory).second) return;
  } catch (...) {
    return;
  }
  std::free(memory);
}

}  // namespace

OwnedModel::~OwnedModel() {
  std::unordered_set<void*> freed;
  for (core::Operand& operand : model.operands) FreeOperand(&operand, &freed);
}

void FreeOperand(core::Operand* operand, std::unordered_set<void*>* freed) noexcept {
  for (core::Hint& hint : operand->hints) {
    if (!hint.handler || !hint.deleter) continue;
    try {
      hint.deleter(&hint.handler);
    } catch (...) {
      Log(0, "a hint's deleter threw an exception");
    }
    hint.handler = nullptr;
  }
  if (LifetimeOf(operand->type) == NNADAPTER_CONSTANT_COPY) FreeOnce(operand->buffer, freed);
  operand->buffer = nullptr;
  operand->length = 0;
  if (IsPerChannel(PrecisionOf(operand->type))) {
    NNAdapterSymmPerChannelQuantParams& params = operand->type.symm_per_channel_params;
    FreeOnce(const_cast<float*>(params.scales), freed);
    params.scales = nullptr;
    params.scale_count = 0;
  }
}

void CopyOperand(const core::Operand& from, CopiedConstants constants, core::Operand* to) {
  NNAdapterOperandType type = from.type;
  hal::OwnScales(&type);
  to->type = type;
  if (const NNAdapterOperandDimensionType* shape = TemporaryShapeOf(from)) {
    SetTemporaryShape(to, *shape);
    to->type.lifetime = from.type.lifetime;
  }
  if (!IsConstant(from)) return;
  const bool small = from.length <= kMaxImmediateBytes;
  if (constants == CopiedConstants::kEachUse || (LifetimeOf(from.type) == NNADAPTER_CONSTANT_COPY &&
                                                 (constants == CopiedConstants::kAll || small))) {
    // Set first: a failing copy leaves nothing to free.
    to->type.lifetime = NNADAPTER_CONSTANT_REFERENCE;
    to->buffer = Duplicate(from.buffer, from.length);
    to->type.lifetime = NNADAPTER_CONSTANT_COPY;
  } else {
    to->type.lifetime = NNADAPTER_CONSTANT_REFERENCE;
    to->buffer = from.buffer;
  }
  to->length = from.length;
}

std::unique_ptr<OwnedModel> CopyModel(const core::Model& from, const std::vector<bool>& taken,
                                      const std::vector<core::Operand*>& inputs,
                                      const std::vector<core::Operand*>& outputs,
                                      CopiedConstants constants) {
  auto copy = std::make_unique<OwnedModel>();
  std::unordered_map<const core::Operand*, core::Operand*> copies;
  auto copy_of = [&](core::Operand* operand) -> core::Operand* {
    if (!operand) return nullptr;
    const bool each = constants == CopiedConstants::kEachUse && IsConstant(*operand);
    auto found = each ? copies.end() : copies.find(operand);
    if (found != copies.end()) return found->second;
    copy->model.operands.emplace_back();
    core::Operand* made = &copy->model.operands.back();
    CopyOperand(*operand, constants, made);
    if (!each) copies.emplace(operand, made);
    return made;
  };
  for (core::Operand* operand : inputs) {
    copy->model.input_operands.push_back(copy_of(operand));
    copy->model.input_operands.back()->type.lifetime = NNADAPTER_MODEL_INPUT;
  }
  size_t index = 0;
  for (const core::Operation& operation : from.operations) {
    if (!taken[index++]) continue;
    copy->model.operations.emplace_back();
    core::Operation& made = copy->model.operations.back();
    made.type = operation.type;
    for (core::Operand* operand : operation.input_operands)
      made.input_operands.push_back(copy_of(operand));
    for (core::Operand* operand : operation.output_operands)
      made.output_operands.push_back(copy_of(operand));
  }
  for (core::Operand* operand : outputs) {
    copy->model.output_operands.push_back(copy_of(operand));
    copy->model.output_operands.back()->type.lifetime = NNADAPTER_MODEL_OUTPUT;
  }
  return copy;
}

std::unique_ptr<OwnedModel> CopyModel(const core::Model& from) {
  return CopyModel(from, std::vector<bool>(from.operations.size(), true), from.input_operands,
                   from.output_operands, CopiedConstants::kAll);
}

}  // namespace nnadapter::runtime
