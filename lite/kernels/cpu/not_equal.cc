// Floating point numbers are equal within 1e-8, as in Paddle.
#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void RunNotEqual(KernelContext& c) {
  ForTypes<bool, int8_t, uint8_t, int16_t, int32_t, int64_t, float, double>(
      c, c.Input("X").dtype(), [&](auto zero) {
        using T = decltype(zero);
        ApplyBroadcast<T, bool>(
            c, [](T x, T y) { return !AlmostEqual(x, y); }, c.Attr<int>("axis"));
      });
}

REGISTER_LITE_OP(not_equal)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<int>("axis", -1)
    .InferShape(InferBinaryBool);
REGISTER_LITE_FUNCTION(not_equal, kHost, kAny, kNCHW, RunNotEqual, def);

}  // namespace
}  // namespace paddle::lite
