#include "lite/kernels/cpu/activation/activation.h"
#include "lite/kernels/cpu/spectral/complex.h"

namespace paddle::lite {
namespace {

// An activation of fp32 and fp64 that is a step of epilogues, too.
#define LITE_ACTIVATION(name, ...)                                                                 \
  math::Activation name##_as_activation([[maybe_unused]] const OpLite& op) { return __VA_ARGS__; } \
  void Run_##name(KernelContext& c) { RunActivation(c, name##_as_activation(c.op())); }            \
  REGISTER_LITE_FUNCTION(name, kHost, kAny, kAny, Run_##name, def);                                \
  REGISTER_LITE_OP(name)                                                                           \
      .Input("X")                                                                                  \
      .Output("Out")                                                                               \
      .InferShape(InferFloatUnary())                                                               \
      .AsActivation(name##_as_activation)

LITE_ACTIVATION(relu, {math::Act::kRelu});
LITE_ACTIVATION(relu6, {math::Act::kRelu6, op.Attr<float>("threshold")})
    .Attr<float>("threshold", 6.0f);
LITE_ACTIVATION(leaky_relu, {math::Act::kLeakyRelu, op.Attr<float>("alpha")})
    .Attr<float>("alpha", 0.02f);
LITE_ACTIVATION(elu, {math::Act::kElu, op.Attr<float>("alpha")}).Attr<float>("alpha", 1.0f);
LITE_ACTIVATION(sigmoid, {math::Act::kSigmoid});
LITE_ACTIVATION(silu, {math::Act::kSwish, 1.0f});
LITE_ACTIVATION(swish, {math::Act::kSwish, op.Attr<float>("beta")}).Attr<float>("beta", 1.0f);
LITE_ACTIVATION(tanh, {math::Act::kTanh});
LITE_ACTIVATION(gelu, {op.Attr<bool>("approximate") ? math::Act::kGeluTanh : math::Act::kGelu})
    .Attr<bool>("approximate", false);
LITE_ACTIVATION(hard_swish, {math::Act::kHardSwish, op.Attr<float>("threshold"),
                             op.Attr<float>("scale"), op.Attr<float>("offset")})
    .Attr<float>("threshold", 6.0f)
    .Attr<float>("scale", 6.0f)
    .Attr<float>("offset", 3.0f);
LITE_ACTIVATION(hard_sigmoid,
                {math::Act::kHardSigmoid, op.Attr<float>("slope"), op.Attr<float>("offset")})
    .Attr<float>("slope", 0.2f)
    .Attr<float>("offset", 0.5f);
LITE_ACTIVATION(erf, {math::Act::kErf});
LITE_ACTIVATION(sqrt, {math::Act::kSqrt});
LITE_ACTIVATION(rsqrt, {math::Act::kRsqrt});
LITE_ACTIVATION(reciprocal, {math::Act::kReciprocal});
LITE_ACTIVATION(brelu, {math::Act::kClip, op.Attr<float>("t_min"), op.Attr<float>("t_max")})
    .Attr<float>("t_min", 0.0f)
    .Attr<float>("t_max", 24.0f);
#undef LITE_ACTIVATION

math::Activation AbsAsActivation(const OpLite&) { return {math::Act::kAbs}; }

template <typename T>
void RunAbsInteger(KernelContext& c) {
  ApplyUnary<T, T>(c, [](T x) { return x < 0 ? WrapSub(T(0), x) : x; });
}

void RunComplex(KernelContext& c, DataType dtype) {
  ForParts(dtype, [&](auto zero) {
    using T = decltype(zero);
    using C = std::complex<T>;
    ApplyUnary<C, T>(c, [](C x) { return std::abs(x); });
  });
}

// Paddle does not pass the LoD on here.
void InferAbs(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireType(c, "X",
              {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64,
               DataType::kComplex64, DataType::kComplex128});
  c.SetOutput("Out", x.dims, IsComplex(x.dtype) ? PartType(x.dtype) : x.dtype);
}

void RunAbs(KernelContext& c) {
  const DataType dtype = c.Input("X").dtype();
  if (dtype == DataType::kInt32) return RunAbsInteger<int32_t>(c);
  if (dtype == DataType::kInt64) return RunAbsInteger<int64_t>(c);
  if (IsComplex(dtype)) return RunComplex(c, dtype);
  RunActivation(c, AbsAsActivation(c.op()));
}

REGISTER_LITE_OP(abs).Input("X").Output("Out").InferShape(InferAbs).AsActivation(AbsAsActivation);
REGISTER_LITE_FUNCTION(abs, kHost, kAny, kAny, RunAbs, def);

// Integers give fp32, as in Paddle.

math::Activation ExpAsActivation(const OpLite&) { return {math::Act::kExp}; }

template <typename T>
void RunExpInteger(KernelContext& c) {
  ApplyUnary<T, float>(c, [](T v) { return std::exp(static_cast<float>(v)); });
}

void RunExp(KernelContext& c) {
  const DataType dtype = c.Input("X").dtype();
  if (dtype == DataType::kInt32) return RunExpInteger<int32_t>(c);
  if (dtype == DataType::kInt64) return RunExpInteger<int64_t>(c);
  RunActivation(c, ExpAsActivation(c.op()));
}

REGISTER_LITE_OP(exp)
    .Input("X")
    .Output("Out")
    .InferShape(InferFloatOfNumber)
    .AsActivation(ExpAsActivation);
REGISTER_LITE_FUNCTION(exp, kHost, kAny, kAny, RunExp, def);

math::Activation SquareAsActivation(const OpLite&) { return {math::Act::kSquare}; }

template <typename T>
void RunSquareInteger(KernelContext& c) {
  ApplyUnary<T, T>(c, [](T v) { return WrapMul(v, v); });
}

void RunSquare(KernelContext& c) {
  const DataType dtype = c.Input("X").dtype();
  if (dtype == DataType::kInt32) return RunSquareInteger<int32_t>(c);
  if (dtype == DataType::kInt64) return RunSquareInteger<int64_t>(c);
  RunActivation(c, SquareAsActivation(c.op()));
}

REGISTER_LITE_OP(square)
    .Input("X")
    .Output("Out")
    .InferShape(InferUnary({DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64}))
    .AsActivation(SquareAsActivation);
REGISTER_LITE_FUNCTION(square, kHost, kAny, kAny, RunSquare, def);

}  // namespace
}  // namespace paddle::lite
