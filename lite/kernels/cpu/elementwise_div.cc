#include "lite/kernels/cpu/complex.h"

namespace paddle::lite {
namespace {

// Integers are divided towards zero.
template <typename T>
T Quotient(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    if (y == 0) ThrowDivisionByZero("elementwise_div");
    return y == T(-1) ? WrapSub(T(0), x) : static_cast<T>(x / y);
  } else {
    return x / y;
  }
}

void RunElementwiseDiv(KernelContext& c) {
  const DataType dtype = c.Output("Out").dtype();
  if (dtype == DataType::kFP32) return RunBinaryFloat(c, math::EpilogueStep::kDiv, {});
  if (IsComplex(dtype)) return RunComplexArithmetic(c, math::EpilogueStep::kDiv);
  ForTypes<double, int32_t, int64_t, int16_t, int8_t, uint8_t>(c, dtype, [&](auto zero) {
    using T = decltype(zero);
    ApplyBroadcast<T, T>(c, Quotient<T>, c.Attr<int>("axis"));
  });
}

REGISTER_LITE_OP(elementwise_div)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<int>("axis", -1)
    .InferShape(InferArithmetic)
    .AsBinary(math::EpilogueStep::kDiv);
REGISTER_LITE_FUNCTION(elementwise_div, kHost, kAny, kNCHW, RunElementwiseDiv, def);
REGISTER_LITE_FUNCTION(elementwise_div, kHost, kFloat, kNHWC, RunElementwiseDiv, def);

}  // namespace
}  // namespace paddle::lite
