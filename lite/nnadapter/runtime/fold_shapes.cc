// Shape arithmetic whose numbers are known when a model is finished becomes constants: drivers that
// know neither SHAPE nor what is computed with it still get a RESHAPE to a constant shape.
#include <algorithm>
#include <cstdlib>
#include <new>
#include <unordered_map>

#include "lite/nnadapter/runtime/core_model.h"
#include "lite/nnadapter/runtime/model.h"
#include "lite/nnadapter/runtime/operand_type.h"
#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

bool IsShape(const core::Operand& operand) {
  return LifetimeOf(operand.type) == NNADAPTER_TEMPORARY_SHAPE && TemporaryShapeOf(operand);
}

// All numbers are known, and the same for each candidate of dynamic dimensions.
bool IsKnown(const core::Operand& operand) {
  if (!IsShape(operand)) return false;
  const int32_t precision = PrecisionOf(operand.type);
  const NNAdapterOperandDimensionType& shape = *TemporaryShapeOf(operand);
  const int32_t* end = shape.data + shape.count;
  if (precision != NNADAPTER_INT32 && precision != NNADAPTER_INT64) return false;
  if (shape.count == 0 || ElementCount(operand.type.dimensions) != shape.count) return false;
  if (std::find(shape.data, end, NNADAPTER_UNKNOWN) != end) return false;
  for (uint32_t i = 0; i < shape.dynamic_count; ++i)
    if (!std::equal(shape.data, end, shape.dynamic_data[i])) return false;
  return true;
}

template <typename T>
void SetNumbers(const NNAdapterOperandDimensionType& shape, core::Operand* operand) {
  auto* numbers = static_cast<T*>(std::malloc(shape.count * sizeof(T)));
  if (!numbers) throw std::bad_alloc();
  std::copy(shape.data, shape.data + shape.count, numbers);
  operand->buffer = numbers;
  operand->length = shape.count * static_cast<uint32_t>(sizeof(T));
}

void MakeConstant(core::Operand* operand) {
  const NNAdapterOperandDimensionType shape = *TemporaryShapeOf(*operand);
  if (PrecisionOf(operand->type) == NNADAPTER_INT32)
    SetNumbers<int32_t>(shape, operand);
  else
    SetNumbers<int64_t>(shape, operand);
  operand->type.lifetime = NNADAPTER_CONSTANT_COPY;
  operand->type.dimensions.dynamic_count = 0;
  core::Hint& hint = operand->hints[NNADAPTER_HINT_TEMPORARY_SHAPE];
  hint.deleter(&hint.handler);
}

template <typename Predicate>
bool AllOutputs(const core::Operation& operation, Predicate predicate) {
  return std::all_of(operation.output_operands.begin(), operation.output_operands.end(),
                     [&](const core::Operand* output) { return !output || predicate(*output); });
}

// The operations that need not run, from the last to the first: what only they read is not needed
// either.
std::vector<std::list<core::Operation>::iterator> Needless(core::Model* model) {
  std::unordered_map<const core::Operand*, int> readers;
  for (const core::Operation& operation : model->operations)
    for (const core::Operand* input : operation.input_operands)
      if (input) ++readers[input];
  std::vector<std::list<core::Operation>::iterator> found;
  for (auto it = model->operations.end(); it != model->operations.begin();) {
    --it;
    const bool needless = AllOutputs(*it, [&](const core::Operand& output) {
      return IsKnown(output) || (IsShape(output) && readers[&output] == 0);
    });
    if (!needless) continue;
    found.push_back(it);
    for (const core::Operand* input : it->input_operands)
      if (input) --readers[input];
  }
  return found;
}

}  // namespace

std::list<core::Operation> FoldKnownShapes(core::Model* model) {
  std::list<core::Operation> folded;
  for (const auto operation : Needless(model)) {
    for (core::Operand* output : operation->output_operands)
      if (output && IsKnown(*output)) MakeConstant(output);
    folded.splice(folded.begin(), model->operations, operation);
  }
  return folded;
}

}  // namespace nnadapter::runtime
