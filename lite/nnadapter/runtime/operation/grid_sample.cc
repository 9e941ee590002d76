#include "lite/nnadapter/runtime/operation/conv.h"

namespace nnadapter::runtime {
namespace {

void Infer(InferContext& c) {
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

REGISTER_OPERATION(GRID_SAMPLE)
    .Doc(
        "Reads images at the positions that a grid names: (x, y) with -1 at the left or top edge "
        "and 1 at the right or bottom one.")
    .Input("input", kFloats | kQuantized, "[N, C, H, W]")
    .Input("grid", kFloats | kQuantized, "[N, H_out, W_out, 2]")
    .Bool("align_corners",
          "whether -1 and 1 are the centres of the outermost elements, otherwise "
          "their outer edges")
    .Int("mode", "an NNAdapterInterpolateModeCode: 1 (bilinear) or 2 (nearest)")
    .Int("pad_mode",
         "what is read outside, an NNAdapterPadModeCode: 0 (none) or 1 (constant) "
         "gives 0, 2 (reflect) mirrors, 3 (replicate) or 4 (edge) the nearest element")
    .Output("output", "[N, C, H_out, W_out] of the type of input")
    .Infer(Infer);

}  // namespace
}  // namespace nnadapter::runtime
