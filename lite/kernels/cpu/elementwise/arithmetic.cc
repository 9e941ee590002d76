#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/spectral/complex.h"

namespace paddle::lite {
namespace {

// Integers are divided towards zero.
template <typename T>
T Quotient(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    if (y == 0) ThrowDivisionByZero("elementwise_div");
    return y == T(-1) ? WrapSub(T(0), x) : DivideIntegers(x, y).first;
  } else {
    return x / y;
  }
}

// Rounds towards minus infinity.
template <typename T>
T FloorQuotient(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    if (y == 0) ThrowDivisionByZero("elementwise_floordiv");
    if (y == T(-1)) return WrapSub(T(0), x);
    const auto [quotient, rest] = DivideIntegers(x, y);
    return static_cast<T>(quotient - ((rest != 0) & ((x < 0) != (y < 0))));
  } else {
    return FloorDivide(x, y);
  }
}

// The remainder has the divisor's sign.
template <typename T>
T Remainder(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    if (y == 0) ThrowDivisionByZero("elementwise_mod");
    if (y == T(-1)) return 0;
    const T rest = DivideIntegers(x, y).second;
    return rest != 0 && (rest < 0) != (y < 0) ? static_cast<T>(rest + y) : rest;
  } else {
    const T rest = std::fmod(x, y);
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
  }
}

// Integers go through double, as Paddle computes them.
template <typename T>
T Power(T x, T y) {
  if constexpr (std::is_integral_v<T>)
    return NumberCast<T>(std::pow(static_cast<double>(x), static_cast<double>(y)));
  else
    return std::pow(x, y);
}

#define LITE_BINARY(op, infer)                                     \
  REGISTER_LITE_FUNCTION(op, kHost, kAny, kNCHW, Run_##op, def);   \
  REGISTER_LITE_FUNCTION(op, kHost, kFloat, kNHWC, Run_##op, def); \
  REGISTER_LITE_OP(op).Input("X").Input("Y").Output("Out").Attr<int>("axis", -1).InferShape(infer)

// Function of the types that are listed; fp32 has a kernel that is a step of epilogues, too.
#define LITE_STEP(op, infer, step, complex, Function, ...)                                     \
  void Run_##op(KernelContext& c) {                                                            \
    const DataType dtype = c.Output("Out").dtype();                                            \
    if (dtype == DataType::kFP32) return RunBinaryFloat(c, math::EpilogueStep::step, {});      \
    if (complex && IsComplex(dtype)) return RunComplexArithmetic(c, math::EpilogueStep::step); \
    ForTypes<__VA_ARGS__>(c, dtype, [&](auto zero) {                                           \
      using T = decltype(zero);                                                                \
      /* not a pointer, which would be called for each element */                              \
      ApplyBroadcast<T, T>(                                                                    \
          c, [](T x, T y) { return Function<T>(x, y); }, c.Attr<int>("axis"));                 \
    });                                                                                        \
  }                                                                                            \
  LITE_BINARY(op, infer).AsBinary(math::EpilogueStep::step)

#define LITE_NUMBERS double, int32_t, int64_t, int16_t, int8_t, uint8_t
LITE_STEP(elementwise_add, InferArithmetic, kAdd, true, WrapAdd, LITE_NUMBERS);
LITE_STEP(elementwise_sub, InferArithmetic, kSub, true, WrapSub, LITE_NUMBERS);
LITE_STEP(elementwise_mul, InferArithmetic, kMul, true, WrapMul, LITE_NUMBERS, bool);
LITE_STEP(elementwise_div, InferArithmetic, kDiv, true, Quotient, LITE_NUMBERS);
LITE_STEP(elementwise_max, InferBinary, kMax, false, Larger, LITE_NUMBERS);
LITE_STEP(elementwise_min, InferBinary, kMin, false, Smaller, LITE_NUMBERS);

#define LITE_FUNCTION_OF_TWO(op, Function)                                     \
  void Run_##op(KernelContext& c) {                                            \
    ForTypes<float, LITE_NUMBERS>(c, c.Input("X").dtype(), [&](auto zero) {    \
      using T = decltype(zero);                                                \
      ApplyBroadcast<T, T>(                                                    \
          c, [](T x, T y) { return Function<T>(x, y); }, c.Attr<int>("axis")); \
    });                                                                        \
  }                                                                            \
  LITE_BINARY(op, InferBinary)

LITE_FUNCTION_OF_TWO(elementwise_floordiv, FloorQuotient);
LITE_FUNCTION_OF_TWO(elementwise_mod, Remainder);

// Powers that are a product or a root where one number is the exponent of all.
template <typename T>
bool RunPlainPower(KernelContext& c) {
  const Tensor &x = c.Input("X"), &y = c.Input("Y");
  if (y.numel() != 1 || x.dims() != c.Output("Out").dims()) return false;
  const T power = *y.data<T>();
  if (power == T(2))
    ApplyUnary<T, T>(c, [](T v) { return v * v; });
  else if (power == T(3))
    ApplyUnary<T, T>(c, [](T v) { return v * v * v; });
  else if (power == T(4))
    ApplyUnary<T, T>(c, [](T v) { return (v * v) * (v * v); });
  else if (power == T(0.5))  // of -0 it is 0, of minus infinity infinity
    ApplyUnary<T, T>(
        c, [](T v) { return v < -std::numeric_limits<T>::max() ? -v : std::sqrt(v + T(0)); });
  else
    return false;
  return true;
}

void Run_elementwise_pow(KernelContext& c) {
  const DataType dtype = c.Input("X").dtype();
  if (dtype == DataType::kFP32 && RunPlainPower<float>(c)) return;
  if (dtype == DataType::kFP64 && RunPlainPower<double>(c)) return;
  ForTypes<float, LITE_NUMBERS>(c, dtype, [&](auto zero) {
    using T = decltype(zero);
    ApplyBroadcast<T, T>(
        c, [](T x, T y) { return Power<T>(x, y); }, c.Attr<int>("axis"));
  });
}
LITE_BINARY(elementwise_pow, InferBinary);

#undef LITE_BINARY
#undef LITE_STEP
#undef LITE_NUMBERS
#undef LITE_FUNCTION_OF_TWO

}  // namespace
}  // namespace paddle::lite
