#include "lite/nnadapter/runtime/operation/conv.h"

namespace nnadapter::runtime {
namespace {

// Throws unless the operand is [N, channels, H_out, W_out].
void RequireMap(const InferContext& c, const char* name, const Dims& output, int64_t channels) {
  if (!c.Has(name)) return;
  RequireImages(c, name);
  RequireSameReal(c, name, "input");
  const Dims dims = c.DimsOf(name);
  const int64_t wanted[] = {output[0], channels, output[2], output[3]};
  for (size_t i = 0; i < 4; ++i)
    c.Require(
        dims[i] == wanted[i] || dims[i] == NNADAPTER_UNKNOWN || wanted[i] == NNADAPTER_UNKNOWN,
        name, " has shape ", DimsText(dims), ", expected ", wanted[i], " along axis ", i);
}

void Infer(InferContext& c) {
  for (const char* name : {"input", "filter", "offset"}) RequireImages(c, name);
  RequireSameReal(c, "filter", "input");
  RequireSameReal(c, "bias", "input");
  CheckFuseCode(c);
  const Dims input = c.DimsOf("input"), filter = c.DimsOf("filter");
  const int64_t group = GroupOf(c), parts = GroupOf(c, "deformable_group");
  if (filter[1] != NNADAPTER_UNKNOWN)
    RequireDim(c, input[1], filter[1] * group, "the number of input's channels");
  c.Require(filter[0] == NNADAPTER_UNKNOWN || (filter[0] > 0 && filter[0] % group == 0),
            "filter has shape ", DimsText(filter), ", expected a multiple of group ", group,
            " filters");
  c.Require(input[1] == NNADAPTER_UNKNOWN || input[1] % parts == 0, "input has ", input[1],
            " channels, expected a multiple of deformable_group ", parts);
  RequireCount(c, "bias", filter[0]);
  Dims output{input[0], filter[0], 0, 0};
  for (size_t axis = 0; axis < 2; ++axis) {
    c.Require(filter[axis + 2] != 0, "filter has shape ", DimsText(filter), ", which is empty");
    const Window window = WindowOf(c, axis, input[axis + 2], filter[axis + 2], true);
    output[axis + 2] = WindowCount(c, window, input[axis + 2], false);
  }
  const int64_t taps = Product(filter, 2, 4);
  const bool known = taps != NNADAPTER_UNKNOWN;
  c.Require(!known || taps <= INT32_MAX / parts / 2, "filter has shape ", DimsText(filter),
            ", which is too large");
  RequireMap(c, "offset", output, known ? 2 * parts * taps : taps);
  RequireMap(c, "mask", output, known ? parts * taps : taps);
  c.SetOutput("output", c.Precision("input"), output);
}

REGISTER_OPERATION(DEFORMABLE_CONV_2D)
    .Doc(
        "A convolution whose taps are moved: tap k of an output position reads input offset by "
        "(offset[2k], offset[2k + 1]) = (down, right), between elements by bilinear "
        "interpolation, times mask[k].")
    .Input("input", kFloats | kQuantized, "[N, C_in, H, W]")
    .Input("offset", kFloats | kQuantized,
           "[N, 2 * deformable_group * kernel height * kernel width, H_out, W_out]")
    .OptionalInput("mask", kFloats | kQuantized,
                   "[N, deformable_group * kernel height * kernel width, H_out, W_out]; absent: "
                   "ones")
    .Input("filter", kFloats | kQuantized, "[C_out, C_in / group, kernel height, kernel width]")
    .OptionalInput("bias", kFloats | kQuantized, "[C_out]")
    .OptionalInts("pads", "[top, bottom, left, right], or nothing for zeros")
    .Ints("strides", "[height, width]")
    .Int("group", "how many parts of the channels are convolved on their own")
    .Int("deformable_group", "how many parts of input's channels have offsets of their own")
    .Ints("dilations", "[height, width]")
    .Like(DeclareFuseCode)
    .Output("output", "[N, C_out, H_out, W_out] of the type of input")
    .Infer(Infer);

}  // namespace
}  // namespace nnadapter::runtime
