#include "lite/nnadapter/runtime/operation/resize.h"

#include <cmath>

#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

// The size that `scales` give, which is rounded down.
int32_t Scaled(const InferContext& c, int32_t dim, float scale) {
  c.Require(scale > 0 && std::isfinite(scale), "a scale is ", scale, ", expected more than 0");
  if (dim == kUnknown) return kUnknown;
  const float size = static_cast<float>(dim) * scale;
  c.Require(size >= 1 && size < 2147483648.0f, "scale ", scale, " makes ", size,
            " elements of a dimension of ", dim);
  return static_cast<int32_t>(size);
}

bool HasNumbers(const InferContext& c, const char* name) {
  if (!c.Has(name)) return false;
  const Dims dims = c.DimsOf(name);
  return Product(dims, 0, dims.size()) != 0;
}

Dims InferSizes(const InferContext& c, const Dims& input) {
  const size_t axes = input.size() - 2;
  if (HasNumbers(c, "shape")) {
    const Dims sizes = ShapeListOf(c, "shape");
    c.Require(sizes.size() == axes, "shape has ", sizes.size(), " numbers, expected ", axes);
    for (const int32_t size : sizes)
      c.Require(size == kUnknown || size > 0, "shape is ", DimsText(sizes),
                ", expected positive numbers");
    return sizes;
  }
  c.Require(HasNumbers(c, "scales"), "neither shape nor scales is given");
  if (!c.IsConstant("scales")) return Dims(axes, kUnknown);
  const auto scales = c.Floats("scales");
  c.Require(scales.size() == axes, "scales has ", scales.size(), " numbers, expected ", axes);
  Dims sizes;
  for (size_t i = 0; i < axes; ++i) sizes.push_back(Scaled(c, input[i + 2], scales[i]));
  return sizes;
}

}  // namespace

void DeclareResize(OperationInfo& info) {
  info.OptionalShape("shape", "the size of each spatial axis of the result")
      .OptionalInput("scales", kFloat32,
                     "what each spatial axis is multiplied by, for want of shape")
      .Bool("align_corners", "whether the first and last elements keep their places");
}

void InferResize(InferContext& c) {
  const Dims input = c.DimsOf("input");
  c.Require(input.size() >= 3 && input.size() <= 5, "input has shape ", DimsText(input),
            ", expected [N, C, ...] with one to three spatial axes");
  for (size_t i = 2; i < input.size(); ++i)
    c.Require(input[i] != 0, "input has shape ", DimsText(input), ", which has no elements");
  Dims out{input[0], input[1]};
  for (const int32_t size : InferSizes(c, input)) out.push_back(size);
  c.SetOutput("output", c.Precision("input"), out);
}

}  // namespace nnadapter::runtime
