// Parts of tensors, and tensors of parts.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "lite/nnadapter/nnapi/operations/values.h"

namespace nnadapter::nnapi {
namespace {

constexpr int32_t kBeginning = std::numeric_limits<int32_t>::min();  // behind a negative step

struct Range {
  int32_t first, last, step;
};

// Ranges of all axes; those that are whole are left out.
Value SlicedAlong(Translation& t, Value x, const std::vector<Range>& ranges) {
  Shape axes, firsts, lasts, steps;
  for (size_t i = 0; i < ranges.size(); ++i) {
    const auto& [first, last, step] = ranges[i];
    if (first == 0 && last == x->dims[i] && step == 1) continue;
    axes.push_back(static_cast<int32_t>(i));
    firsts.push_back(first);
    lasts.push_back(last);
    steps.push_back(step);
  }
  if (axes.empty()) return x;
  return t.Emit(NNADAPTER_SLICE,
                {x, t.Int32s(axes), t.Int32s(firsts), t.Int32s(lasts), t.Int32s(steps)});
}

// Behind the beginning of an axis of `length`, if `from` is there.
int32_t Bounded(int32_t from, int32_t length, int32_t step) {
  const int32_t at = from < 0 ? from + length : from;
  return step > 0 ? std::min(std::max(at, 0), length) : std::min(std::max(at, -1), length - 1);
}

// One axis of STRIDED_SLICE.
Range RangeOf(int32_t first, int32_t last, int32_t step, bool open_first, bool open_last,
              bool shrink, int32_t length) {
  if (step == 0) Translation::Refuse("a step is 0");
  const int32_t whole_first = step > 0 ? 0 : length - 1, whole_last = step > 0 ? length : -1;
  const int32_t from = open_first ? whole_first : Bounded(first, length, step);
  const int32_t to = open_last ? whole_last : Bounded(last, length, step);
  if (step > 0 ? to <= from : to >= from)
    Translation::Refuse("it takes nothing of an axis of " + std::to_string(length));
  if (shrink && (step < 0 || to - from > step))
    Translation::Refuse("an axis that vanishes has a negative stride, or more than one element");
  return {from, to == -1 ? kBeginning : to, step};
}

// [before, behind] of each axis: the pads of NNADAPTER_PAD.
Value Padded(Translation& t, Value x, const Shape& pads, Value value) {
  return t.Emit(NNADAPTER_PAD, {x, t.Int32s(pads), t.Int32(NNADAPTER_PAD_MODE_CONSTANT), value});
}

// The number that PAD_V2 pads with; of a quantised tensor it is given as it is stored.
double PadValue(Translation& t) {
  const OperandType& type = t.Type(0);
  if (type.code == ANEURALNETWORKS_TENSOR_FLOAT32 || type.code == ANEURALNETWORKS_TENSOR_FLOAT16)
    return t.Float(2);
  return (static_cast<double>(t.Int(2)) - type.zero_point) * type.scale;
}

// What stands at each place of an axis that is mirrored at its ends, with the edge or without.
Shape Mirrored(int32_t length, int32_t before, int32_t behind, bool symmetric) {
  const int32_t edge = symmetric ? 1 : 0;
  if (before > length - 1 + edge || behind > length - 1 + edge)
    Translation::Refuse("it pads more than an axis of " + std::to_string(length) +
                        " has to mirror");
  Shape indices;
  for (int32_t i = -before; i < length + behind; ++i) {
    const int32_t back = 2 * (length - 1) + edge - i;
    indices.push_back(i < 0 ? -i - edge : i < length ? i : back);
  }
  return indices;
}

}  // namespace

CONVERTER(CONCATENATION) {
  const size_t count = t.inputs() - 1;
  Aligned in = AlignedInputs(t, 0, count);
  for (Value& v : in.values) v = StoredAsOutput(t, v, 0);
  const int32_t axis = in.Axis(AxisOf(t, count, in.values[0]->dims.size()));
  Value out = in.values[0];
  if (count > 1) {
    in.values.push_back(t.Int32(axis));
    out = t.Emit(NNADAPTER_CONCAT, in.values);
  }
  SetAligned(t, 0, out, in.image);
}

// (axis, x..)
CONVERTER(PACK) {
  std::vector<Value> inputs;
  for (size_t i = 1; i < t.inputs(); ++i) inputs.push_back(StoredAsOutput(t, t.Input(i), 0));
  inputs.push_back(t.Int32(AxisOf(t, 0, inputs[0]->dims.size() + 1)));
  t.SetOutput(0, t.Emit(NNADAPTER_STACK, inputs));
}

// (x, axis, parts)
CONVERTER(SPLIT) {
  const Value x = t.Input(0);
  const int32_t axis = AxisOf(t, 1, x->dims.size()), parts = t.Int(2);
  const int32_t length = x->dims[static_cast<size_t>(axis)];
  if (parts < 1 || length % parts != 0 || static_cast<size_t>(parts) != t.outputs())
    Translation::Refuse("it has " + std::to_string(parts) + " parts of an axis of " +
                        std::to_string(length));
  if (parts == 1) return t.SetOutput(0, x);
  const Shape lengths(t.outputs(), length / parts);
  const std::vector<Value> results =
      t.EmitMany(NNADAPTER_SPLIT, {x, t.Int32(axis), t.Int32s(lengths)}, t.outputs());
  for (size_t o = 0; o < results.size(); ++o) t.SetOutput(o, results[o]);
}

// (x, begin, size); a size of -1 is all that is left.
CONVERTER(SLICE) {
  const Value x = t.Input(0);
  const Shape begin = t.Ints(1), size = t.Ints(2);
  if (begin.size() != x->dims.size() || size.size() != x->dims.size())
    Translation::Refuse("it has not one begin and one size for each axis of " + ShapeText(x->dims));
  std::vector<Range> ranges;
  for (size_t i = 0; i < begin.size(); ++i) {
    const int32_t last = size[i] == -1 ? x->dims[i] : begin[i] + size[i];
    if (begin[i] < 0 || last <= begin[i] || last > x->dims[i])
      Translation::Refuse("its part is empty or outside of its input " + ShapeText(x->dims));
    ranges.push_back({begin[i], last, 1});
  }
  t.SetOutput(0, SlicedAlong(t, x, ranges));
}

// (x, begin, end, strides, begin mask, end mask, mask of axes that vanish)
CONVERTER(STRIDED_SLICE) {
  const Value x = t.Input(0);
  const Shape begin = t.Ints(1), end = t.Ints(2), steps = t.Ints(3);
  const int32_t open_first = t.Int(4), open_last = t.Int(5), shrink = t.Int(6);
  const size_t rank = x->dims.size();
  if (begin.size() != rank || end.size() != rank || steps.size() != rank)
    Translation::Refuse("it has not one begin, end and stride for each axis of " +
                        ShapeText(x->dims));
  std::vector<Range> ranges;
  for (size_t i = 0; i < rank; ++i)
    ranges.push_back(RangeOf(begin[i], end[i], steps[i], (open_first >> i & 1) != 0,
                             (open_last >> i & 1) != 0, (shrink >> i & 1) != 0, x->dims[i]));
  const Value part = SlicedAlong(t, x, ranges);
  Shape dims;
  for (size_t i = 0; i < rank; ++i)
    if ((shrink >> i & 1) == 0) dims.push_back(part->dims[i]);
  if (dims.empty()) dims = {1};
  t.SetOutput(0, t.Reshaped(part, dims));
}

CONVERTER(REVERSE) {
  const Value x = t.Input(0);
  const Shape axes = t.Ints(1);
  if (axes.size() != 1) Translation::Refuse("it reverses several axes");
  const int32_t axis = CanonicalAxis(axes[0], x->dims.size());
  const int32_t last = x->dims[static_cast<size_t>(axis)] - 1;
  t.SetOutput(0, t.Emit(NNADAPTER_SLICE, {x, t.Int32s({axis}), t.Int32s({last}),
                                          t.Int32s({kBeginning}), t.Int32s({-1})}));
}

CONVERTER(GATHER) {
  const Value x = t.Input(0);
  const Value axis = t.Int32(AxisOf(t, 1, x->dims.size()));
  t.SetOutput(0, t.Emit(NNADAPTER_GATHER, {x, t.Input(2), axis}));
}

CONVERTER(EMBEDDING_LOOKUP) {
  t.SetOutput(0, t.Emit(NNADAPTER_GATHER, {t.Input(1), t.Input(0), t.Int32(0)}));
}

CONVERTER(PAD) {
  const Value x = t.Input(0);
  t.SetOutput(0, Padded(t, x, t.Ints(1), t.ScalarLike(x, 0)));
}

CONVERTER(PAD_V2) {
  const Value x = t.Input(0);
  t.SetOutput(0, Padded(t, x, t.Ints(1), t.ScalarLike(x, PadValue(t))));
}

// (x, pads, mode: 0 reflects without the edge, 1 with it)
CONVERTER(MIRROR_PAD) {
  Value x = t.Input(0);
  const Shape pads = t.Ints(1), dims = x->dims;
  const bool symmetric = t.Int(2) == 1;
  if (pads.size() != 2 * dims.size())
    Translation::Refuse("it has not two pads for each axis of " + ShapeText(dims));
  for (size_t i = 0; i < dims.size(); ++i) {
    if (pads[2 * i] == 0 && pads[2 * i + 1] == 0) continue;
    x = Taken(t, x, static_cast<int32_t>(i),
              Mirrored(dims[i], pads[2 * i], pads[2 * i + 1], symmetric));
  }
  t.SetOutput(0, x);
}

CONVERTER(TILE) { t.SetOutput(0, t.Emit(NNADAPTER_TILE, {t.Input(0), t.Int32s(t.Ints(1))})); }

}  // namespace nnadapter::nnapi
