#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

// Rounds towards minus infinity.
template <typename T>
T FloorQuotient(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    if (y == 0) ThrowDivisionByZero("elementwise_floordiv");
    if (y == T(-1)) return WrapSub(T(0), x);
    const T quotient = static_cast<T>(x / y);
    return x % y != 0 && (x < 0) != (y < 0) ? static_cast<T>(quotient - 1) : quotient;
  } else {
    return std::floor(x / y);
  }
}

void RunElementwiseFloordiv(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t, int16_t, int8_t, uint8_t>(
      c, c.Input("X").dtype(), [&](auto zero) {
        using T = decltype(zero);
        ApplyBroadcast<T, T>(c, FloorQuotient<T>, c.Attr<int>("axis"));
      });
}

REGISTER_LITE_OP(elementwise_floordiv)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<int>("axis", -1)
    .InferShape(InferBinary);
REGISTER_LITE_FUNCTION(elementwise_floordiv, kHost, kAny, kNCHW, RunElementwiseFloordiv, def);
REGISTER_LITE_FUNCTION(elementwise_floordiv, kHost, kFloat, kNHWC, RunElementwiseFloordiv, def);

}  // namespace
}  // namespace paddle::lite
