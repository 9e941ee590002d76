#include "lite/kernels/cpu/pad.h"

namespace paddle::lite {
namespace {

template <typename Context>
std::vector<AxisPad> Pad3dPads(const Context& c) {
  const auto& format = c.template Attr<std::string>("data_format");
  if (format != "NCDHW" && format != "NDHWC")
    throw LiteError(StrCat("attribute data_format is ", format, ", expected NCDHW or NDHWC"));
  const auto paddings = IntsOf<int32_t>(c, "", "Paddings", "paddings");
  if (paddings.size() != 6)
    throw ShapeError(StrCat("there are ", paddings.size(), " paddings, expected 6"));
  for (const int64_t padding : paddings)
    if (padding > INT32_MAX || padding < -INT32_MAX)
      throw ShapeError(StrCat("a padding is ", padding));
  std::vector<AxisPad> pads(5);
  const size_t first = format == "NCDHW" ? 2 : 1;
  // left, right, top, bottom, front, back
  pads[first + 2] = {paddings[0], paddings[1]};
  pads[first + 1] = {paddings[2], paddings[3]};
  pads[first] = {paddings[4], paddings[5]};
  return pads;
}

void InferPad3d(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.Require(x.dims.size() == 5, "X has shape ", x.dims, ", expected 5 dimensions");
  const PadMode mode = PadModeFrom(c.Attr<std::string>("mode"));
  c.SetOutput("Out", PaddedDims(x.dims, Pad3dPads(c), mode), x.dtype, x.lod);
}

void RunPad3d(KernelContext& c) {
  PadTensor(c.Input("X"), Pad3dPads(c), PadModeFrom(c.Attr<std::string>("mode")),
            c.Attr<float>("value"), c.Output("Out"), c.threads());
}

REGISTER_LITE_OP(pad3d)
    .Input("X")
    .OptionalInput("Paddings")
    .Output("Out")
    .Attr<std::vector<int32_t>>("paddings", {})
    .Attr<std::string>("mode", "constant")
    .Attr<float>("value", 0.0f)
    .Attr<std::string>("data_format", "NCDHW")
    .InferShape(InferPad3d);
REGISTER_LITE_FUNCTION(pad3d, kHost, kAny, kNCHW, RunPad3d, def);

}  // namespace
}  // namespace paddle::lite
