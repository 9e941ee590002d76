#include "lite/kernels/cpu/flip.h"

namespace paddle::lite {
namespace {

void InferReverse(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const auto& axes = c.Attr<std::vector<int32_t>>("axis");
  c.Require(!axes.empty(), "axis is empty");
  for (const int axis : axes) CanonicalAxis(axis, x.dims.size(), "an element of axis");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

REGISTER_LITE_OP(reverse)
    .Input("X")
    .Output("Out")
    .RequiredAttr<std::vector<int32_t>>("axis")
    .InferShape(InferReverse);
REGISTER_LITE_FUNCTION(reverse, kHost, kAny, kNCHW, FlipAxes, def);
REGISTER_LITE_FUNCTION(reverse, kHost, kFloat, kNHWC, FlipAxes, nhwc);

}  // namespace
}  // namespace paddle::lite
