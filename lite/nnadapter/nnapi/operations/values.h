// What converters share: values that are requantised, activations, images beside other forms.
#pragma once

#include <string>
#include <vector>

#include "lite/nnadapter/nnapi/translate.h"

namespace nnadapter::nnapi {

// Quantised as output `o`, or not quantised as that.
inline Value StoredAsOutput(Translation& t, Value v, size_t o) {
  return t.StoredAs(v, Translation::Stored(t.OutputType(o)));
}

// "[2, 3]". A reason that comes of shapes names them: those of one that stands for an unknown shape
// tell nothing about the others.
std::string ShapeText(const Shape& dims);
// The shape of input i as NNAPI has it; makes no transposition for it.
Shape DimsOf(Translation& t, size_t i);
// The axis that input i names, in [0, rank).
int32_t AxisOf(Translation& t, size_t i, size_t rank);
int32_t CanonicalAxis(int32_t axis, size_t rank);
// The product of dims[begin, end).
int32_t Product(const Shape& dims, size_t begin, size_t end);

// The activation of an INT32 result, for which NNAdapter has none.
Value ActivatedInts(Translation& t, Value v, int32_t fuse);

// One result in the precision that NNAdapter infers, or, where inputs[0] is quantised, in that of
// output 0.
Value EmitResult(Translation& t, NNAdapterOperationType type, const std::vector<Value>& inputs);

// The operation's inputs [first, first + count) in one order of axes: all as images in NCHW, if
// they are at hand in that form, or all as NNAPI has them.
struct Aligned {
  std::vector<Value> values;
  bool image;
  // An axis of NHWC, or the same one of NCHW.
  int32_t Axis(int32_t axis) const;
};
Aligned AlignedInputs(Translation& t, size_t first, size_t count);
// Output o from a value in that order.
void SetAligned(Translation& t, size_t o, Value v, bool image);

Value Multiplied(Translation& t, Value a, Value b);
// Entries of an axis that constants name.
Value Taken(Translation& t, Value v, int32_t axis, const Shape& indices);
// [first, last) of an axis.
Value Sliced(Translation& t, Value v, int32_t axis, int32_t first, int32_t last);

}  // namespace nnadapter::nnapi
