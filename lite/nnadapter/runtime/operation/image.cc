// Images at other sizes and places.
#include <cmath>

#include "lite/nnadapter/runtime/operation/operands.h"
#include "lite/nnadapter/runtime/operation/window.h"

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

}  // namespace

INFER(RESIZE_LINEAR) {
  const int64_t mode = c.Int("align_mode");
  c.Require(mode == 0 || mode == 1, "align_mode is ", mode, ", expected 0 or 1");
  InferResize(c);
}

INFER(RESIZE_NEAREST) { InferResize(c); }

INFER(GRID_SAMPLE) {
  RequireImages(c, "input");
  RequireSameReal(c, "grid", "input");
  const Dims input = c.DimsOf("input"), grid = c.DimsOf("grid");
  c.Require(grid.size() == 4, "grid has shape ", DimsText(grid), ", expected [N, H_out, W_out, 2]");
  RequireDim(c, grid[0], input[0], "the number of grids");
  RequireDim(c, grid[3], 2, "the number of a grid's coordinates");
  c.Require(input[2] != 0 && input[3] != 0, "input has shape ", DimsText(input),
            ", expected images that are not empty");
  const int64_t mode = c.Int("mode"), pad_mode = c.Int("pad_mode");
  c.Require(
      mode == NNADAPTER_INTERPOLATE_MODE_BILINEAR || mode == NNADAPTER_INTERPOLATE_MODE_NEAREST,
      "mode is ", mode, ", expected 1 (bilinear) or 2 (nearest)");
  c.Require(pad_mode >= NNADAPTER_PAD_MODE_NONE && pad_mode <= NNADAPTER_PAD_MODE_EDGE,
            "pad_mode is ", pad_mode, ", expected a number from 0 (none) to 4 (edge)");
  c.SetOutput("output", c.Precision("input"), {input[0], input[1], grid[1], grid[2]});
}

}  // namespace nnadapter::runtime
