#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void RunBitwiseAnd(KernelContext& c) {
  ForTypes<bool, int8_t, uint8_t, int16_t, int32_t, int64_t>(
      c, c.Input("X").dtype(), [&](auto zero) {
        using T = decltype(zero);
        ApplyBroadcast<T, T>(
            c, [](T x, T y) { return static_cast<T>(x & y); }, c.Attr<int>("axis"));
      });
}

REGISTER_LITE_OP(bitwise_and)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<int>("axis", -1)
    .InferShape(InferBinary);
REGISTER_LITE_FUNCTION(bitwise_and, kHost, kAny, kNCHW, RunBitwiseAnd, def);

}  // namespace
}  // namespace paddle::lite
