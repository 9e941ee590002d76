#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void RunLogicalXor(KernelContext& c) {
  ForTypes<bool, int8_t, uint8_t, int16_t, int32_t, int64_t, float, double>(
      c, c.Input("X").dtype(), [&](auto zero) {
        using T = decltype(zero);
        ApplyBroadcast<T, bool>(
            c, [](T x, T y) { return (x != T(0)) != (y != T(0)); }, -1);
      });
}

REGISTER_LITE_OP(logical_xor).Input("X").Input("Y").Output("Out").InferShape(InferBinaryBool);
REGISTER_LITE_FUNCTION(logical_xor, kHost, kAny, kNCHW, RunLogicalXor, def);

}  // namespace
}  // namespace paddle::lite
