// Functions of one number that need no more than a line each.
#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

// op(X) -> Out for fp32 and fp64; `expression` says what becomes of v.
#define LITE_FLOAT_FUNCTION(op, expression)                                    \
  void Run_##op(KernelContext& c) {                                            \
    ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) {          \
      using T = decltype(zero);                                                \
      ApplyUnary<T, T>(c, [](T v) { return expression; });                     \
    });                                                                        \
  }                                                                            \
  REGISTER_LITE_OP(op).Input("X").Output("Out").InferShape(InferFloatUnary()); \
  REGISTER_LITE_FUNCTION(op, kHost, kAny, kAny, Run_##op, def)

// The same for integers too, which give fp32.
#define LITE_NUMBER_FUNCTION(op, expression)                                            \
  void Run_##op(KernelContext& c) {                                                     \
    ForTypes<float, double, int32_t, int64_t>(c, c.Input("X").dtype(), [&](auto zero) { \
      using T = decltype(zero);                                                         \
      using R = std::conditional_t<std::is_integral_v<T>, float, T>;                    \
      ApplyUnary<T, R>(c, [](T x) {                                                     \
        const R v = static_cast<R>(x);                                                  \
        return expression;                                                              \
      });                                                                               \
    });                                                                                 \
  }                                                                                     \
  REGISTER_LITE_OP(op).Input("X").Output("Out").InferShape(InferFloatOfNumber);         \
  REGISTER_LITE_FUNCTION(op, kHost, kAny, kAny, Run_##op, def)

// log(1 / (1 + exp(-v))) without overflow.
template <typename T>
T LogSigmoid(T v) {
  return std::min(v, T(0)) - std::log1p(std::exp(-std::abs(v)));
}

LITE_FLOAT_FUNCTION(acos, std::acos(v));
LITE_FLOAT_FUNCTION(acosh, std::acosh(v));
LITE_FLOAT_FUNCTION(asin, std::asin(v));
LITE_FLOAT_FUNCTION(asinh, std::asinh(v));
LITE_FLOAT_FUNCTION(atan, std::atan(v));
LITE_FLOAT_FUNCTION(atanh, std::atanh(v));
LITE_FLOAT_FUNCTION(cosh, std::cosh(v));
LITE_FLOAT_FUNCTION(sinh, std::sinh(v));
LITE_FLOAT_FUNCTION(tan, std::tan(v));
LITE_FLOAT_FUNCTION(logsigmoid, LogSigmoid(v));
LITE_NUMBER_FUNCTION(expm1, std::expm1(v));
LITE_NUMBER_FUNCTION(log2, std::log2(v));
LITE_NUMBER_FUNCTION(log10, std::log10(v));

#undef LITE_FLOAT_FUNCTION
#undef LITE_NUMBER_FUNCTION

const std::vector<DataType> kUnaryNumbers = {DataType::kFP32, DataType::kFP64, DataType::kInt32,
                                             DataType::kInt64};

// Integers are whole already.
template <typename Round>
void RunRound(KernelContext& c, Round round) {
  ForTypes<float, double, int32_t, int64_t>(c, c.Input(FirstInput(c.op())).dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>)
      ApplyUnary<T, T>(c, [](T v) { return v; });
    else
      ApplyUnary<T, T>(c, round);
  });
}

void RunTrunc(KernelContext& c) {
  RunRound(c, [](auto v) { return std::trunc(v); });
}
// Halves go to the even neighbour.
void RunRint(KernelContext& c) {
  RunRound(c, [](auto v) { return std::nearbyint(v); });
}

void RunStanh(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T a = static_cast<T>(c.Attr<float>("scale_a")),
            b = static_cast<T>(c.Attr<float>("scale_b"));
    ApplyUnary<T, T>(c, [=](T v) { return b * std::tanh(a * v); });
  });
}

// An `eps` of 0 or less leaves the argument alone: outside of [0, 1] the result is NaN.
void RunLogit(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T eps = static_cast<T>(c.Attr<float>("eps"));
    ApplyUnary<T, T>(c, [=](T v) {
      if (eps > 0) v = std::max(std::min(v, T(1) - eps), eps);  // keeps NaN
      return std::log(v / (T(1) - v));
    });
  });
}

REGISTER_LITE_OP(trunc).Input("X").Output("Out").InferShape(InferUnary(kUnaryNumbers));
REGISTER_LITE_FUNCTION(trunc, kHost, kAny, kAny, RunTrunc, def);
REGISTER_LITE_OP(rint).Input("x").Output("out").InferShape(InferUnary(kUnaryNumbers));
REGISTER_LITE_FUNCTION(rint, kHost, kAny, kAny, RunRint, def);

REGISTER_LITE_OP(stanh)
    .Input("X")
    .Output("Out")
    .Attr<float>("scale_a", 0.67f)
    .Attr<float>("scale_b", 1.7159f)
    .InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(stanh, kHost, kAny, kAny, RunStanh, def);

REGISTER_LITE_OP(logit)
    .Input("X")
    .Output("Out")
    .Attr<float>("eps", 1e-6f)
    .InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(logit, kHost, kAny, kAny, RunLogit, def);

}  // namespace
}  // namespace paddle::lite
