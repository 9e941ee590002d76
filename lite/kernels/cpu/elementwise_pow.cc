#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

// Integers go through double, as Paddle computes them.
template <typename T>
T Power(T x, T y) {
  if constexpr (std::is_integral_v<T>)
    return NumberCast<T>(std::pow(static_cast<double>(x), static_cast<double>(y)));
  else
    return std::pow(x, y);
}

void RunElementwisePow(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t, int16_t, int8_t, uint8_t>(
      c, c.Input("X").dtype(), [&](auto zero) {
        using T = decltype(zero);
        ApplyBroadcast<T, T>(c, Power<T>, c.Attr<int>("axis"));
      });
}

REGISTER_LITE_OP(elementwise_pow)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<int>("axis", -1)
    .InferShape(InferBinary);
REGISTER_LITE_FUNCTION(elementwise_pow, kHost, kAny, kNCHW, RunElementwisePow, def);
REGISTER_LITE_FUNCTION(elementwise_pow, kHost, kFloat, kNHWC, RunElementwisePow, def);

}  // namespace
}  // namespace paddle::lite
