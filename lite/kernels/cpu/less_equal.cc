#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void RunLessEqual(KernelContext& c) {
  ForTypes<bool, int8_t, uint8_t, int16_t, int32_t, int64_t, float, double>(
      c, c.Input("X").dtype(), [&](auto zero) {
        using T = decltype(zero);
        ApplyBroadcast<T, bool>(
            c, [](T x, T y) { return x <= y; }, c.Attr<int>("axis"));
      });
}

REGISTER_LITE_OP(less_equal)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<int>("axis", -1)
    .InferShape(InferBinaryBool);
REGISTER_LITE_FUNCTION(less_equal, kHost, kAny, kNCHW, RunLessEqual, def);

}  // namespace
}  // namespace paddle::lite
