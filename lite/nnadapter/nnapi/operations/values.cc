#include "lite/nnadapter/nnapi/operations/values.h"

#include <algorithm>

namespace nnadapter::nnapi {
namespace {

bool HasChannels(const Shape& dims, int32_t channels) {
  return dims.size() == 1 && dims[0] == channels;
}

// Input i as it can stand beside images of this shape, or null.
Value BesideImage(Translation& t, size_t i, const Shape& image) {
  const Value ready = t.ImageOrNull(i);
  if (ready != nullptr) return ready->dims == image ? ready : nullptr;
  const Value plain = t.Input(i);
  if (plain->count() == 1) return plain;
  if (plain->constant() && HasChannels(plain->dims, image[1]))
    return t.Reshaped(plain, {image[1], 1, 1});
  return nullptr;
}

}  // namespace

std::string ShapeText(const Shape& dims) {
  std::string text;
  for (const int32_t dim : dims) text += (text.empty() ? "" : ", ") + std::to_string(dim);
  return "[" + text + "]";
}

Shape DimsOf(Translation& t, size_t i) {
  const Value image = t.ImageOrNull(i);
  if (image == nullptr) return t.Input(i)->dims;
  const Shape& d = image->dims;
  return {d[0], d[2], d[3], d[1]};
}

int32_t CanonicalAxis(int32_t axis, size_t rank) {
  const auto size = static_cast<int32_t>(rank);
  if (axis < -size || axis >= size)
    Translation::Refuse("its axis " + std::to_string(axis) + " is not one of a tensor of rank " +
                        std::to_string(rank));
  return axis < 0 ? axis + size : axis;
}

int32_t AxisOf(Translation& t, size_t i, size_t rank) { return CanonicalAxis(t.Int(i), rank); }

int32_t Product(const Shape& dims, size_t begin, size_t end) {
  int32_t product = 1;
  for (size_t i = begin; i < end; ++i) product *= dims[i];
  return product;
}

Value ActivatedInts(Translation& t, Value v, int32_t fuse) {
  if (fuse == ANEURALNETWORKS_FUSED_NONE) return v;
  const int32_t low = fuse == ANEURALNETWORKS_FUSED_RELU1 ? -1 : 0;
  const Value bounded = t.Emit(NNADAPTER_MAX, {v, t.Int32(low), t.Int32(NNADAPTER_FUSED_NONE)});
  if (fuse == ANEURALNETWORKS_FUSED_RELU) return bounded;
  const int32_t high = fuse == ANEURALNETWORKS_FUSED_RELU1 ? 1 : 6;
  return t.Emit(NNADAPTER_MIN, {bounded, t.Int32(high), t.Int32(NNADAPTER_FUSED_NONE)});
}

Value EmitResult(Translation& t, NNAdapterOperationType type, const std::vector<Value>& inputs) {
  return inputs[0]->quantised() ? t.EmitAs(0, type, inputs) : t.Emit(type, inputs);
}

int32_t Aligned::Axis(int32_t axis) const {
  return image ? kFromImage[static_cast<size_t>(axis)] : axis;
}

Aligned AlignedInputs(Translation& t, size_t first, size_t count) {
  Aligned aligned{{}, true};
  Shape shape;
  for (size_t i = first; i < first + count && shape.empty(); ++i)
    if (const Value image = t.ImageOrNull(i)) shape = image->dims;
  for (size_t i = first; i < first + count && !shape.empty(); ++i)
    if (const Value v = BesideImage(t, i, shape)) aligned.values.push_back(v);
  if (aligned.values.size() == count) return aligned;
  aligned = {{}, false};
  for (size_t i = first; i < first + count; ++i) aligned.values.push_back(t.Input(i));
  return aligned;
}

void SetAligned(Translation& t, size_t o, Value v, bool image) {
  if (image)
    t.SetImage(o, v, false);
  else
    t.SetOutput(o, v);
}

Value Multiplied(Translation& t, Value a, Value b) {
  return t.Emit(NNADAPTER_MUL, {a, b, t.Int32(NNADAPTER_FUSED_NONE)});
}

Value Taken(Translation& t, Value v, int32_t axis, const Shape& indices) {
  return t.Emit(NNADAPTER_GATHER, {v, t.Int32s(indices), t.Int32(axis)});
}

Value Sliced(Translation& t, Value v, int32_t axis, int32_t first, int32_t last) {
  if (first == 0 && last == v->dims[static_cast<size_t>(axis)]) return v;
  return t.Emit(NNADAPTER_SLICE,
                {v, t.Int32s({axis}), t.Int32s({first}), t.Int32s({last}), t.Int32s({1})});
}

}  // namespace nnadapter::nnapi
