// Places of SLICE beyond an end of the tensor become that end: drivers compute with them as they
// are.
#include <algorithm>

#include "lite/nnadapter/runtime/core_model.h"
#include "lite/nnadapter/runtime/model.h"
#include "lite/nnadapter/runtime/operand_type.h"
#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

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

}  // namespace nnadapter::runtime
