#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void RunThresholdedRelu(KernelContext& c) {
  const float threshold = c.Attr<float>("threshold");
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    ApplyUnary<T, T>(c, [=](T v) { return v > T(threshold) ? v : T(0); });
  });
}

REGISTER_LITE_OP(thresholded_relu)
    .Input("X")
    .Output("Out")
    .Attr<float>("threshold", 1.0f)
    .InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(thresholded_relu, kHost, kAny, kAny, RunThresholdedRelu, def);

}  // namespace
}  // namespace paddle::lite
