#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void RunSoftshrink(KernelContext& c) {
  const float threshold = c.Attr<float>("lambda");
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    ApplyUnary<T, T>(c, [=](T v) {
      return v > T(threshold) ? v - T(threshold) : v < -T(threshold) ? v + T(threshold) : T(0);
    });
  });
}

REGISTER_LITE_OP(softshrink)
    .Input("X")
    .Output("Out")
    .Attr<float>("lambda", 0.5f)
    .InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(softshrink, kHost, kAny, kAny, RunSoftshrink, def);

}  // namespace
}  // namespace paddle::lite
