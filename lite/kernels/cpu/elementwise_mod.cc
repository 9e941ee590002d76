#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

// The remainder has the divisor's sign.
template <typename T>
T Remainder(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    if (y == 0) ThrowDivisionByZero("elementwise_mod");
    if (y == T(-1)) return 0;
    const T rest = static_cast<T>(x % y);
    return rest != 0 && (rest < 0) != (y < 0) ? static_cast<T>(rest + y) : rest;
  } else {
    const T rest = std::fmod(x, y);
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
  }
}

void RunElementwiseMod(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t, int16_t, int8_t, uint8_t>(
      c, c.Input("X").dtype(), [&](auto zero) {
        using T = decltype(zero);
        ApplyBroadcast<T, T>(c, Remainder<T>, c.Attr<int>("axis"));
      });
}

REGISTER_LITE_OP(elementwise_mod)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<int>("axis", -1)
    .InferShape(InferBinary);
REGISTER_LITE_FUNCTION(elementwise_mod, kHost, kAny, kNCHW, RunElementwiseMod, def);
REGISTER_LITE_FUNCTION(elementwise_mod, kHost, kFloat, kNHWC, RunElementwiseMod, def);

}  // namespace
}  // namespace paddle::lite
