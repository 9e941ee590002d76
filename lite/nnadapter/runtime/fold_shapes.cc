// Shape arithmetic whose numbers are known when a model is finished becomes constants: drivers that
// know neither SHAPE nor what is computed with it still get a RESHAPE to a constant shape. Places
// of SLICE beyond an end of the tensor become that end: drivers compute with them as they are.
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

// The numbers of an operand that is a list of int32, which the caller may not have to itself; null
// where it is none.
int32_t* ListOf(core::Operand* operand, size_t count) {
  const bool list = operand && operand->buffer && PrecisionOf(operand->type) == NNADAPTER_INT32 &&
                    operand->length == count * sizeof(int32_t);
  return list ? static_cast<int32_t*>(operand->buffer) : nullptr;
}

// Lists of a SLICE: an operand of the operation's own is made for the first number that changes.
class SliceList {
 public:
  SliceList(core::Model* model, core::Operand** operand, size_t count)
      : model_(model), operand_(operand), numbers_(ListOf(*operand, count)) {}
  bool known() const { return numbers_ != nullptr; }
  void Bound(size_t at, int64_t least, int64_t most) {
    const int64_t number = std::clamp<int64_t>(numbers_[at], least, most);
    if (number == numbers_[at]) return;
    if (!own_) {
      model_->operands.emplace_back();
      CopyOperand(**operand_, CopiedConstants::kEachUse, &model_->operands.back());
      *operand_ = &model_->operands.back();
      (*operand_)->type.lifetime = NNADAPTER_CONSTANT_COPY;
      numbers_ = static_cast<int32_t*>((*operand_)->buffer);
      own_ = true;
    }
    numbers_[at] = static_cast<int32_t>(number);
  }

 private:
  core::Model* model_;
  core::Operand** operand_;
  int32_t* numbers_;
  bool own_ = false;
};

void BoundSlice(core::Model* model, core::Operation* slice) {
  std::vector<core::Operand*>& given = slice->input_operands;  // input, axes, starts, ends, steps
  if (given.size() != 5) return;
  const core::Operand* list = given[2];
  const NNAdapterOperandDimensionType& dims = given[0]->type.dimensions;
  const size_t count = list ? list->length / sizeof(int32_t) : 0;
  const int32_t* axes = given[1] ? ListOf(given[1], count) : nullptr;
  const int32_t* steps = given[4] ? ListOf(given[4], count) : nullptr;
  SliceList starts(model, &given[2], count), ends(model, &given[3], count);
  if ((given[1] && !axes) || (given[4] && !steps)) return;
  if (!starts.known() || !ends.known()) return;
  for (size_t i = 0; i < count; ++i) {
    const auto rank = static_cast<int32_t>(dims.count);
    const int32_t axis = axes ? axes[i] + (axes[i] < 0 ? rank : 0) : static_cast<int32_t>(i);
    const int64_t size = axis >= 0 && axis < rank ? dims.data[axis] : NNADAPTER_UNKNOWN;
    if (size < 1) continue;  // unknown, or nothing to bound
    const bool back = steps && steps[i] < 0;
    starts.Bound(i, -size, back ? size - 1 : size);
    ends.Bound(i, back ? -size - 1 : -size, size);
  }
}

}  // namespace

void BoundSlices(core::Model* model) {
  for (core::Operation& operation : model->operations)
    if (operation.type == NNADAPTER_SLICE) BoundSlice(model, &operation);
}

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
