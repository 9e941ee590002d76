#include "lite/kernels/cpu/pad.h"

namespace paddle::lite {
namespace {

template <typename Context>
std::vector<AxisPad> Pad2dPads(const Context& c) {
  const auto& format = c.template Attr<std::string>("data_format");
  if (format != "NCHW" && format != "NHWC")
    throw LiteError(StrCat("attribute data_format is ", format, ", expected NCHW or NHWC"));
  const auto paddings = IntsOf<int32_t>(c, "", "Paddings", "paddings");
  if (paddings.size() != 4)
    throw ShapeError(StrCat("there are ", paddings.size(), " paddings, expected 4"));
  for (const int64_t padding : paddings)
    if (padding > INT32_MAX || padding < -INT32_MAX)
      throw ShapeError(StrCat("a padding is ", padding));
  std::vector<AxisPad> pads(4);
  const size_t first = format == "NCHW" ? 2 : 1;
  // top, bottom, left, right
  pads[first] = {paddings[0], paddings[1]};
  pads[first + 1] = {paddings[2], paddings[3]};
  return pads;
}

void InferPad2d(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.Require(x.dims.size() == 4, "X has shape ", x.dims, ", expected 4 dimensions");
  const PadMode mode = PadModeFrom(c.Attr<std::string>("mode"));
  c.SetOutput("Out", PaddedDims(x.dims, Pad2dPads(c), mode), x.dtype, x.lod);
}

void RunPad2d(KernelContext& c) {
  PadTensor(c.Input("X"), Pad2dPads(c), PadModeFrom(c.Attr<std::string>("mode")),
            c.Attr<float>("pad_value"), c.Output("Out"), c.threads());
}

REGISTER_LITE_OP(pad2d)
    .Input("X")
    .OptionalInput("Paddings")
    .Output("Out")
    .Attr<std::vector<int32_t>>("paddings", {})
    .Attr<std::string>("mode", "constant")
    .Attr<float>("pad_value", 0.0f)
    .Attr<std::string>("data_format", "NCHW")
    .InferShape(InferPad2d);
REGISTER_LITE_FUNCTION(pad2d, kHost, kAny, kNCHW, RunPad2d, def);
REGISTER_LITE_FUNCTION(pad2d, kHost, kFloat, kNHWC, RunPad2d, nhwc);

}  // namespace
}  // namespace paddle::lite
