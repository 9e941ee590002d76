#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void RunHardShrink(KernelContext& c) {
  const float threshold = c.Attr<float>("threshold");
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    ApplyUnary<T, T>(c, [=](T v) { return v > T(threshold) || v < -T(threshold) ? v : T(0); });
  });
}

REGISTER_LITE_OP(hard_shrink)
    .Input("X")
    .Output("Out")
    .Attr<float>("threshold", 0.5f)
    .InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(hard_shrink, kHost, kAny, kAny, RunHardShrink, def);

}  // namespace
}  // namespace paddle::lite
