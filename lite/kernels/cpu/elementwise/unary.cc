// Functions of one number that need no more than a line each.
#include <cmath>
#include <limits>

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/math/vector_math.h"

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

LITE_FLOAT_FUNCTION(acos, std::acos(v));
LITE_FLOAT_FUNCTION(acosh, std::acosh(v));
LITE_FLOAT_FUNCTION(asin, std::asin(v));
LITE_FLOAT_FUNCTION(asinh, std::asinh(v));
LITE_FLOAT_FUNCTION(atanh, std::atanh(v));
LITE_FLOAT_FUNCTION(cosh, std::cosh(v));
LITE_FLOAT_FUNCTION(sinh, std::sinh(v));
LITE_FLOAT_FUNCTION(tan, std::tan(v));
LITE_FLOAT_FUNCTION(softsign, v / (T(1) + std::abs(v)));

// fp32 by a vector function, fp64 by its definition.
#define LITE_VECTOR_FUNCTION(op, function)                                     \
  void Run_##op(KernelContext& c) {                                            \
    RunVectorFunction(c, math::VectorFunction::function, 0, 0,                 \
                      [](double v) { return std::op(v); });                    \
  }                                                                            \
  REGISTER_LITE_OP(op).Input("X").Output("Out").InferShape(InferFloatUnary()); \
  REGISTER_LITE_FUNCTION(op, kHost, kAny, kAny, Run_##op, def)

LITE_VECTOR_FUNCTION(sin, kSin);
LITE_VECTOR_FUNCTION(cos, kCos);
LITE_VECTOR_FUNCTION(atan, kAtan);
LITE_VECTOR_FUNCTION(floor, kFloor);
LITE_VECTOR_FUNCTION(ceil, kCeil);
LITE_VECTOR_FUNCTION(round, kRound);
#undef LITE_VECTOR_FUNCTION

LITE_NUMBER_FUNCTION(log2, std::log2(v));
LITE_NUMBER_FUNCTION(log10, std::log10(v));

#undef LITE_FLOAT_FUNCTION
#undef LITE_NUMBER_FUNCTION

const std::vector<DataType> kUnaryNumbers = {DataType::kFP32, DataType::kFP64, DataType::kInt32,
                                             DataType::kInt64};

// Integers are whole already.
template <typename Round>
void RunRound(KernelContext& c, math::VectorFunction function, Round round) {
  const Tensor& x = c.Input(FirstInput(c.op()));
  ForTypes<float, double, int32_t, int64_t>(c, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>)
      ApplyUnary<T, T>(c, [](T v) { return v; });
    else
      RunVectorFunction(c, function, 0, 0, round);
  });
}

void RunTrunc(KernelContext& c) {
  RunRound(c, math::VectorFunction::kTrunc, [](double v) { return std::trunc(v); });
}
// Halves go to the even neighbour.
void RunRint(KernelContext& c) {
  RunRound(c, math::VectorFunction::kRint, [](double v) { return std::nearbyint(v); });
}

void RunStanh(KernelContext& c) {
  const float a = c.Attr<float>("scale_a"), b = c.Attr<float>("scale_b");
  RunVectorFunction(c, math::VectorFunction::kScaledTanh, a, b, [a, b](double v) {
    return static_cast<double>(b) * std::tanh(static_cast<double>(a) * v);
  });
}

// -softplus(-v)
void RunLogSigmoid(KernelContext& c) {
  RunVectorFunction(c, math::VectorFunction::kSoftplus, -1, 20, [](double v) {
    return std::min(v, 0.0) - std::log1p(std::exp(-std::abs(v)));  // without overflow
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

REGISTER_LITE_OP(logsigmoid).Input("X").Output("Out").InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(logsigmoid, kHost, kAny, kAny, RunLogSigmoid, def);

REGISTER_LITE_OP(logit)
    .Input("X")
    .Output("Out")
    .Attr<float>("eps", 1e-6f)
    .InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(logit, kHost, kAny, kAny, RunLogit, def);

// fp32 by a vector function, fp64 by its definition, integers give fp32.
#define LITE_VECTOR_OF_NUMBERS(op, function)                                    \
  void Run_##op(KernelContext& c) {                                             \
    const auto definition = [](auto v) { return std::op(v); };                  \
    if (const DataType dtype = c.Input("X").dtype(); dtype == DataType::kInt32) \
      ApplyUnary<int32_t, float>(c, [&](float v) { return definition(v); });    \
    else if (dtype == DataType::kInt64)                                         \
      ApplyUnary<int64_t, float>(c, [&](float v) { return definition(v); });    \
    else                                                                        \
      RunVectorFunction(c, math::VectorFunction::function, 0, 0, definition);   \
  }                                                                             \
  REGISTER_LITE_OP(op).Input("X").Output("Out").InferShape(InferFloatOfNumber); \
  REGISTER_LITE_FUNCTION(op, kHost, kAny, kAny, Run_##op, def)

LITE_VECTOR_OF_NUMBERS(log, kLog);
LITE_VECTOR_OF_NUMBERS(log1p, kLog1p);
LITE_VECTOR_OF_NUMBERS(expm1, kExpm1);
#undef LITE_VECTOR_OF_NUMBERS

void RunSign(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t, int16_t, int8_t, uint8_t>(
      c, c.Input("X").dtype(), [&](auto zero) {
        using T = decltype(zero);
        ApplyUnary<T, T>(c, [](T v) {
          return static_cast<T>(v > T(0) ? T(1) : v < T(0) ? T(-1) : v == T(0) ? T(0) : v);
        });
      });
}

REGISTER_LITE_OP(sign).Input("X").Output("Out").InferShape(
    InferUnary({DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64,
                DataType::kInt16, DataType::kInt8, DataType::kUInt8}));
REGISTER_LITE_FUNCTION(sign, kHost, kAny, kAny, RunSign, def);

// Which numbers are finite, infinite or not numbers: of each element (`_v2`), or of any (isinf,
// isnan) and all (isfinite) of them.
enum class Kind { kFinite, kInfinite, kNan };

template <Kind kKind, typename T>
bool Is(T v) {
  if constexpr (std::is_integral_v<T>) return kKind == Kind::kFinite;
  return kKind == Kind::kFinite     ? std::isfinite(v)
         : kKind == Kind::kInfinite ? std::isinf(v)
                                    : std::isnan(v);
}

void RequireNumberIsFinite(const InferContext& c) {
  RequireType(c, "X", {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64});
}

void InferEach(InferContext& c) {
  RequireNumberIsFinite(c);
  c.SetOutput("Out", c.Dims("X"), DataType::kBool);
}

void InferOne(InferContext& c) {
  RequireNumberIsFinite(c);
  c.Require(c.Dims("X").production() > 0, "X of shape ", c.Dims("X"), " has no elements");
  c.SetOutput("Out", {1}, DataType::kBool);
}

template <Kind kKind>
void RunEach(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    ApplyUnary<T, bool>(c, [](T v) { return Is<kKind>(v); });
  });
}

template <Kind kKind>
void RunOne(KernelContext& c) {
  const Tensor& x = c.Input("X");
  constexpr bool kAll = kKind == Kind::kFinite;
  bool& out = *c.Output("Out").mutable_data<bool>();
  ForTypes<float, double, int32_t, int64_t>(c, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T *begin = x.data<T>(), *end = begin + x.numel();
    out = kAll ? std::all_of(begin, end, Is<kKind, T>) : std::any_of(begin, end, Is<kKind, T>);
  });
}

REGISTER_LITE_OP(isfinite_v2).Input("X").Output("Out").InferShape(InferEach);
REGISTER_LITE_FUNCTION(isfinite_v2, kHost, kAny, kAny, RunEach<Kind::kFinite>, def);
REGISTER_LITE_OP(isinf_v2).Input("X").Output("Out").InferShape(InferEach);
REGISTER_LITE_FUNCTION(isinf_v2, kHost, kAny, kAny, RunEach<Kind::kInfinite>, def);
REGISTER_LITE_OP(isnan_v2).Input("X").Output("Out").InferShape(InferEach);
REGISTER_LITE_FUNCTION(isnan_v2, kHost, kAny, kAny, RunEach<Kind::kNan>, def);

REGISTER_LITE_OP(isfinite).Input("X").Output("Out").InferShape(InferOne);
REGISTER_LITE_FUNCTION(isfinite, kHost, kAny, kNCHW, RunOne<Kind::kFinite>, def);
REGISTER_LITE_OP(isinf).Input("X").Output("Out").InferShape(InferOne);
REGISTER_LITE_FUNCTION(isinf, kHost, kAny, kNCHW, RunOne<Kind::kInfinite>, def);
REGISTER_LITE_OP(isnan).Input("X").Output("Out").InferShape(InferOne);
REGISTER_LITE_FUNCTION(isnan, kHost, kAny, kNCHW, RunOne<Kind::kNan>, def);

}  // namespace
}  // namespace paddle::lite
