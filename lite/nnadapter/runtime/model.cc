#include "lite/nnadapter/runtime/model.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <unordered_map>
#include <unordered_set>

#include "lite/core/base/truth.h"
#include "lite/nnadapter/runtime/error.h"
#include "lite/nnadapter/runtime/handles.h"
#include "lite/nnadapter/runtime/operand_type.h"
#include "lite/nnadapter/runtime/operation.h"
#include "nnadapter/hal/graph.h"

namespace nnadapter::runtime {
namespace {

constexpr NNAdapterOperationType kLastOperation = NNADAPTER_YOLO_BOX;

// Puts the outputs' types and hints back unless it is told that all went well.
class OutputsGuard {
 public:
  explicit OutputsGuard(const std::vector<core::Operand*>& outputs) : outputs_(outputs) {
    for (core::Operand* output : outputs_) {
      saved_.push_back({output ? output->type : NNAdapterOperandType{},
                        output && TemporaryShapeOf(*output) != nullptr});
    }
  }
  ~OutputsGuard() {
    if (good_) return;
    for (size_t i = 0; i < outputs_.size(); ++i) {
      if (!outputs_[i]) continue;
      FreeNewScales(outputs_[i]->type, saved_[i].type);
      outputs_[i]->type = saved_[i].type;
      core::Hint& hint = outputs_[i]->hints[NNADAPTER_HINT_TEMPORARY_SHAPE];
      if (!saved_[i].had_shape && hint.handler && hint.deleter) hint.deleter(&hint.handler);
    }
  }
  void Commit() { good_ = true; }

 private:
  struct Saved {
    NNAdapterOperandType type;
    bool had_shape;
  };
  static void FreeNewScales(const NNAdapterOperandType& now, const NNAdapterOperandType& saved) {
    if (!IsPerChannel(PrecisionOf(now))) return;
    const float* scales = now.symm_per_channel_params.scales;
    if (IsPerChannel(PrecisionOf(saved)) && saved.symm_per_channel_params.scales == scales) return;
    std::free(const_cast<float*>(scales));
  }

  const std::vector<core::Operand*>& outputs_;
  std::vector<Saved> saved_;
  bool good_ = false;
};

// Drivers count operands: optional ones that a caller leaves off at the end stand as null.
std::vector<core::Operand*> Completed(std::vector<core::Operand*> operands,
                                      const std::vector<OperandInfo>& declared) {
  for (const OperandInfo& info : declared)
    if (info.repeated) return operands;
  while (operands.size() < declared.size() && declared[operands.size()].optional)
    operands.push_back(nullptr);
  return operands;
}

}  // namespace

std::string OperationName(NNAdapterOperationType type) {
  const OperationInfo* info = OperationRegistry::Global().Find(type);
  return info ? info->name() : std::to_string(type);
}

Model::~Model() {
  for (const core::Operand* operand : operands_) ForgetOperand(operand);
}

bool Model::finished() const {
  std::lock_guard<Mutex> lock(mutex_);
  return finished_;
}

size_t Model::operand_count() const {
  std::lock_guard<Mutex> lock(mutex_);
  return operands_.size();
}

void Model::RequireBuilding() const {
  if (finished_) FailParameter("the model is finished and cannot be changed");
}

void Model::RequireOwn(const core::Operand* operand, const char* what) const {
  if (operands_.count(operand) == 0) {
    FailParameter(what, " is no operand of this model: it belongs to another model, or to none");
  }
}

core::Operand* Model::AddOperand(const NNAdapterOperandType& type) {
  CheckType(type, /*scales_readable=*/true);
  std::lock_guard<Mutex> lock(mutex_);
  RequireBuilding();
  owned_.model.operands.emplace_back();
  core::Operand* operand = &owned_.model.operands.back();
  try {
    NNAdapterOperandType own = type;
    hal::OwnScales(&own);
    operand->type = own;
    operands_.insert(operand);
    RememberOperand(operand, weak_from_this());
  } catch (...) {
    std::unordered_set<void*> freed;
    FreeOperand(operand, &freed);
    operands_.erase(operand);
    owned_.model.operands.pop_back();
    throw;
  }
  return operand;
}

void Model::SetOperandValue(core::Operand* operand, void* buffer, uint32_t length,
                            ConstantMemory memory) {
  if (!buffer) FailParameter("the buffer is null");
  if (length == 0) FailParameter("a constant of 0 bytes");
  std::lock_guard<Mutex> lock(mutex_);
  RequireBuilding();
  RequireOwn(operand, "the operand");
  const int32_t lifetime = LifetimeOf(operand->type);
  if (lifetime == NNADAPTER_MODEL_INPUT || lifetime == NNADAPTER_MODEL_OUTPUT) {
    FailParameter("an input or output of the model cannot be a constant");
  }
  const int64_t count = ElementCount(operand->type.dimensions);
  const size_t size = PrecisionSize(PrecisionOf(operand->type));
  if (count < 0 || size == 0 || static_cast<uint64_t>(count) * size != length) {
    FailParameter(length, " bytes for a constant of type ", TypeText(operand->type));
  }
  void* value = buffer;
  const bool copied = memory == ConstantMemory::kCopied, small = length <= kMaxImmediateBytes;
  if (copied || small) {
    std::unique_ptr<void, void (*)(void*)> copy(std::malloc(length), &std::free);
    if (!copy) throw std::bad_alloc();
    value = std::memcpy(copy.get(), buffer, length);
    if (!copied) immediates_.push_back(std::move(copy));
    copy.release();
  }
  if (!copied && !small && memory == ConstantMemory::kGathered)
    to_gather_.insert(operand);
  else
    to_gather_.erase(operand);
  // An operand may be declared as CONSTANT_COPY before it has a value.
  if (lifetime == NNADAPTER_CONSTANT_COPY) std::free(operand->buffer);
  operand->buffer = value;
  operand->length = length;
  operand->type.lifetime = copied ? NNADAPTER_CONSTANT_COPY : NNADAPTER_CONSTANT_REFERENCE;
}

NNAdapterOperandType* Model::GetOperandType(core::Operand* operand) {
  std::lock_guard<Mutex> lock(mutex_);
  RequireOwn(operand, "the operand");
  return &operand->type;
}

void Model::Infer(core::Operation* operation) {
  // A driver's own operation: its caller gives the types.
  if (!OperationRegistry::Global().Find(operation->type)) return;
  OutputsGuard guard(operation->output_operands);
  const bool known = CheckAndInfer(operation);
  guard.Commit();
  if (known)
    not_inferred_.erase(operation);
  else
    not_inferred_.insert(operation);
}

core::Operation* Model::AddOperation(NNAdapterOperationType type,
                                     const std::vector<core::Operand*>& inputs,
                                     const std::vector<core::Operand*>& outputs) {
  if (type > kLastOperation) FailParameter("there is no operation with code ", type);
  if (outputs.empty()) FailParameter(OperationName(type), ": an operation needs an output");
  std::lock_guard<Mutex> lock(mutex_);
  RequireBuilding();
  bool any_output = false;
  for (const core::Operand* operand : inputs)
    if (operand) RequireOwn(operand, "an input operand");
  for (const core::Operand* operand : outputs) {
    if (!operand) continue;
    any_output = true;
    RequireOwn(operand, "an output operand");
    if (IsConstant(*operand) || LifetimeOf(operand->type) == NNADAPTER_MODEL_INPUT) {
      FailParameter(OperationName(type), ": an output operand is a constant or a model's input");
    }
  }
  if (!any_output) FailParameter(OperationName(type), ": all output operands are null");
  owned_.model.operations.emplace_back();
  core::Operation* operation = &owned_.model.operations.back();
  try {
    operation->type = type;
    const OperationInfo* info = OperationRegistry::Global().Find(type);
    operation->input_operands = info ? Completed(inputs, info->inputs()) : inputs;
    operation->output_operands = info ? Completed(outputs, info->outputs()) : outputs;
    Infer(operation);
  } catch (...) {
    not_inferred_.erase(operation);
    owned_.model.operations.pop_back();
    throw;
  }
  return operation;
}

void Model::IdentifyInputsAndOutputs(const std::vector<core::Operand*>& inputs,
                                     const std::vector<core::Operand*>& outputs) {
  if (outputs.empty()) FailParameter("a model needs an output");
  std::lock_guard<Mutex> lock(mutex_);
  RequireBuilding();
  if (identified_) FailParameter("the model's inputs and outputs are already identified");
  std::unordered_set<const core::Operand*> seen;
  for (const auto* operands : {&inputs, &outputs}) {
    const char* what = operands == &inputs ? "an input of the model" : "an output of the model";
    for (const core::Operand* operand : *operands) {
      if (!operand) FailParameter(what, " is null");
      RequireOwn(operand, what);
      if (IsConstant(*operand)) FailParameter(what, " is a constant");
      if (!seen.insert(operand).second) {
        FailParameter(what, " is named twice among inputs and outputs");
      }
    }
  }
  core::Model& model = owned_.model;
  model.input_operands = inputs;
  model.output_operands = outputs;
  for (core::Operand* operand : inputs) operand->type.lifetime = NNADAPTER_MODEL_INPUT;
  for (core::Operand* operand : outputs) operand->type.lifetime = NNADAPTER_MODEL_OUTPUT;
  identified_ = true;
}

namespace {

// A list without elements that nothing writes is a constant: setOperandValue takes no 0 bytes.
void MakeEmptyConstants(core::Model* model) {
  std::unordered_set<const core::Operand*> written;
  for (const core::Operation& operation : model->operations)
    written.insert(operation.output_operands.begin(), operation.output_operands.end());
  for (core::Operand& operand : model->operands) {
    if (LifetimeOf(operand.type) != NNADAPTER_TEMPORARY_VARIABLE || written.count(&operand) ||
        operand.type.dimensions.count == 0 || ElementCount(operand.type.dimensions) != 0)
      continue;
    operand.buffer = std::malloc(1);
    if (!operand.buffer) throw std::bad_alloc();
    operand.type.lifetime = NNADAPTER_CONSTANT_COPY;
  }
}

}  // namespace

void Model::MakeTruthsPlain() {
  for (core::Operand& operand : owned_.model.operands) {
    if (PrecisionOf(operand.type) != NNADAPTER_BOOL8 || !IsConstant(operand) ||
        !paddle::lite::HasOtherTruth(operand.buffer, operand.length))
      continue;
    if (LifetimeOf(operand.type) != NNADAPTER_CONSTANT_COPY) {
      std::unique_ptr<void, void (*)(void*)> copy(std::malloc(operand.length), &std::free);
      if (!copy) throw std::bad_alloc();
      operand.buffer = std::memcpy(copy.get(), operand.buffer, operand.length);
      immediates_.push_back(std::move(copy));
      to_gather_.erase(&operand);
    }
    paddle::lite::MakePlainTruth(operand.buffer, operand.length);
  }
}

void Model::GatherConstants() {
  constexpr size_t kAlignment = 64;
  const auto rounded = [](size_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
  };
  size_t size = 0;
  for (const core::Operand* operand : to_gather_) size += rounded(operand->length);
  if (size == 0) return;
  pool_.reset(std::aligned_alloc(kAlignment, size));
  if (!pool_) throw std::bad_alloc();
  auto* to = static_cast<uint8_t*>(pool_.get());
  for (core::Operand& operand : owned_.model.operands) {
    if (to_gather_.count(&operand) == 0) continue;
    std::memcpy(to, operand.buffer, operand.length);
    operand.buffer = to;
    to += rounded(operand.length);
  }
  to_gather_.clear();
}

void Model::Finish() {
  std::lock_guard<Mutex> lock(mutex_);
  if (finished_) FailParameter("the model is already finished");
  if (!identified_) FailParameter("the model's inputs and outputs are not identified");
  core::Model& model = owned_.model;
  MakeEmptyConstants(&model);
  const std::vector<size_t> order = CheckStructure(model);

  std::vector<std::list<core::Operation>::iterator> added;
  for (auto it = model.operations.begin(); it != model.operations.end(); ++it) added.push_back(it);
  for (size_t index : order) {
    core::Operation* operation = &*added[index];
    if (not_inferred_.count(operation) == 0) continue;
    Infer(operation);
    if (not_inferred_.count(operation)) {
      FailParameter(OperationName(operation->type), " (operation ", index,
                    "): the type of an input is not known");
    }
  }
  CheckTypes(model);
  MakeTruthsPlain();
  GatherConstants();

  added_index_ = order;
  for (size_t index : order)
    model.operations.splice(model.operations.end(), model.operations, added[index]);
  FoldShapes();
  BoundSlices(&owned_.model);
  SetUntouchedAside();
  finished_ = true;
}

void Model::FoldShapes() {
  std::unordered_map<const core::Operation*, size_t> added;
  size_t at = 0;
  for (const core::Operation& operation : owned_.model.operations)
    added[&operation] = added_index_[at++];
  folded_ = FoldKnownShapes(&owned_.model);
  added_index_.clear();
  for (const core::Operation& operation : owned_.model.operations)
    added_index_.push_back(added.at(&operation));
}

void Model::SetUntouchedAside() {
  const auto touched = TouchedOperands(owned_.model);
  std::list<core::Operand>& operands = owned_.model.operands;
  for (auto it = operands.begin(); it != operands.end();) {
    const auto operand = it++;
    if (touched.count(&*operand) == 0)
      untouched_.model.operands.splice(untouched_.model.operands.end(), operands, operand);
  }
}

}  // namespace nnadapter::runtime
