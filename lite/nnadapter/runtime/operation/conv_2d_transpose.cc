#include <optional>

#include "lite/nnadapter/runtime/operation/conv.h"

namespace nnadapter::runtime {
namespace {

// Two numbers, or none.
std::vector<int64_t> OptionalPair(const InferContext& c, const char* name) {
  const std::vector<int64_t> values = c.Has(name) ? c.Ints(name) : std::vector<int64_t>{};
  if (!values.empty()) PairOf(c, name, 0);
  return values;
}

// What output_shape asks for along each axis: nothing, or a number that may be unknown.
std::array<std::optional<int32_t>, 2> WantedShape(const InferContext& c) {
  if (!c.Has("output_shape")) return {};
  const auto values = c.Values("output_shape");
  if (!values) return {NNADAPTER_UNKNOWN, NNADAPTER_UNKNOWN};
  if (values->empty()) return {};
  c.Require(values->size() == 2, "output_shape has ", values->size(),
            " numbers, expected none or 2: height and width");
  for (const int32_t value : *values)
    c.Require(value > 0 || value == NNADAPTER_UNKNOWN, "output_shape has ", value,
              ", expected positive numbers");
  return {(*values)[0], (*values)[1]};
}

int32_t OutputDim(const InferContext& c, const Window& w, int32_t input,
                  std::optional<int32_t> wanted, int64_t extra) {
  if (wanted == NNADAPTER_UNKNOWN) return NNADAPTER_UNKNOWN;
  if (input == NNADAPTER_UNKNOWN || w.kernel == NNADAPTER_UNKNOWN)
    return wanted.value_or(NNADAPTER_UNKNOWN);
  const int64_t least = (input - 1) * w.stride - w.pad_before - w.pad_after + w.span();
  if (wanted) {
    c.Require(*wanted >= least && *wanted < least + w.stride, "output_shape has ", *wanted,
              ", expected a number in [", least, ", ", least + w.stride, ") for ", input,
              " input elements");
    return *wanted;
  }
  c.Require(extra < std::max(w.stride, w.dilation), "output_padding has ", extra,
            ", expected less than the stride ", w.stride, " or the dilation ", w.dilation);
  c.Require(least + extra > 0, "pads ", w.pad_before, " and ", w.pad_after, " leave nothing of ",
            input, " input elements");
  return ToDim(c, least + extra);
}

void Infer(InferContext& c) {
  RequireImages(c, "input");
  RequireImages(c, "filter");
  RequireSameReal(c, "filter", "input");
  RequireSameReal(c, "bias", "input");
  CheckFuseCode(c);
  const Dims input = c.DimsOf("input"), filter = c.DimsOf("filter");
  const int64_t group = GroupOf(c);
  RequireDim(c, input[1], filter[0], "the number of input's channels");
  c.Require(input[1] == NNADAPTER_UNKNOWN || input[1] % group == 0, "input has shape ",
            DimsText(input), ", expected a multiple of group ", group, " channels");
  const int32_t channels =
      filter[1] == NNADAPTER_UNKNOWN ? NNADAPTER_UNKNOWN : ToDim(c, filter[1] * group);
  RequireCount(c, "bias", channels);
  const auto extra = OptionalPair(c, "output_padding");
  const auto wanted = WantedShape(c);
  Dims output{input[0], channels, 0, 0};
  for (size_t axis = 0; axis < 2; ++axis) {
    c.Require(filter[axis + 2] != 0 && input[axis + 2] != 0, "input has shape ", DimsText(input),
              " and filter ", DimsText(filter), ", expected no empty ones");
    const Window window = WindowOf(c, axis, input[axis + 2], filter[axis + 2], true);
    output[axis + 2] =
        OutputDim(c, window, input[axis + 2], wanted[axis], extra.empty() ? 0 : extra[axis]);
  }
  c.SetOutput("output", c.Precision("input"), output);
}

REGISTER_OPERATION(CONV_2D_TRANSPOSE)
    .Doc(
        "The transpose of a convolution over images (deconvolution). An output axis has (input - "
        "1) * stride - pads + dilation * (kernel - 1) + 1 + output_padding elements, or what "
        "output_shape asks for.")
    .Input("input", kFloats | kQuantized, "[N, C_in, H, W]")
    .Input("filter", kFloats | kQuantized,
           "[C_in, C_out / group, kernel height, kernel width]; of a quantised one the scales are "
           "per layer or per channel")
    .OptionalInput("bias", kFloats | kQuantized, "[C_out]")
    .Like(DeclarePads)
    .Ints("strides", "[height, width]")
    .Int("group", "how many parts of the channels are convolved on their own")
    .Ints("dilations", "[height, width]; with auto_pad 1 (same) they are taken as 1")
    .OptionalInts("output_padding",
                  "[height, width] of elements that are added at the end, or nothing; less than "
                  "the stride or the dilation")
    .OptionalShape("output_shape",
                   "[height, width] of the output, or nothing; it must be a size "
                   "from which the convolution would give input's")
    .Like(DeclareFuseCode)
    .Output("output", "[N, C_out, H_out, W_out] of the type of input")
    .Infer(Infer);

}  // namespace
}  // namespace nnadapter::runtime
