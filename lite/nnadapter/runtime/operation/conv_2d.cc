#include "lite/nnadapter/runtime/operation/conv.h"

namespace nnadapter::runtime {
namespace {

void Infer(InferContext& c) {
  RequireImages(c, "input");
  RequireImages(c, "filter");
  RequireSameReal(c, "filter", "input");
  RequireSameReal(c, "bias", "input");
  CheckFuseCode(c);
  const Dims input = c.DimsOf("input"), filter = c.DimsOf("filter");
  const int64_t group = GroupOf(c);
  if (filter[1] != NNADAPTER_UNKNOWN)
    RequireDim(c, input[1], filter[1] * group, "the number of input's channels");
  c.Require(filter[0] == NNADAPTER_UNKNOWN || (filter[0] > 0 && filter[0] % group == 0),
            "filter has shape ", DimsText(filter), ", expected a multiple of group ", group,
            " filters");
  RequireCount(c, "bias", filter[0]);
  Dims output{input[0], filter[0], 0, 0};
  for (size_t axis = 0; axis < 2; ++axis) {
    c.Require(filter[axis + 2] != 0, "filter has shape ", DimsText(filter), ", which is empty");
    const Window window = WindowOf(c, axis, input[axis + 2], filter[axis + 2], true);
    output[axis + 2] = WindowCount(c, window, input[axis + 2], false);
  }
  c.SetOutput("output", c.Precision("input"), output);
}

REGISTER_OPERATION(CONV_2D)
    .Doc(
        "A convolution over images: normal (group 1), depthwise (group is the number of channels) "
        "or in groups between. Windows that would reach beyond the padded image are left out.")
    .Input("input", kFloats | kQuantized, "[N, C_in, H, W]")
    .Input("filter", kFloats | kQuantized,
           "[C_out, C_in / group, kernel height, kernel width]; of a quantised one the scales are "
           "per layer or per output channel")
    .OptionalInput("bias", kFloats | kQuantized,
                   "[C_out]; of a quantised one the scale is that of input times that of filter")
    .Like(DeclarePads)
    .Ints("strides", "[height, width]")
    .Int("group", "how many parts of the channels are convolved on their own")
    .Ints("dilations", "[height, width]; with auto_pad 1 (same) they are taken as 1")
    .Like(DeclareFuseCode)
    .Output("output", "[N, C_out, H_out, W_out] of the type of input")
    .Infer(Infer);

}  // namespace
}  // namespace nnadapter::runtime
