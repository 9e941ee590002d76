#include "lite/kernels/cpu/flip.h"

namespace paddle::lite {
namespace {

void InferFlip(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const auto& axes = c.Attr<std::vector<int32_t>>("axis");
  bool named[DDim::kMaxRank] = {};
  for (const int axis : axes) {
    const int at = CanonicalAxis(axis, x.dims.size(), "an element of axis");
    c.Require(!named[at], "axis names dimension ", at, " twice");
    named[at] = true;
  }
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

REGISTER_LITE_OP(flip)
    .Input("X")
    .Output("Out")
    .RequiredAttr<std::vector<int32_t>>("axis")
    .InferShape(InferFlip);
REGISTER_LITE_FUNCTION(flip, kHost, kAny, kNCHW, FlipAxes, def);
REGISTER_LITE_FUNCTION(flip, kHost, kFloat, kNHWC, FlipAxes, nhwc);

}  // namespace
}  // namespace paddle::lite
