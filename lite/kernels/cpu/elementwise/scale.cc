#include "lite/kernels/cpu/activation/activation.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/shape/data_movement.h"
#include "lite/kernels/cpu/spectral/complex.h"

namespace paddle::lite {
namespace {

// Out = scale * X + bias, or scale * (X + bias).
struct Affine {
  double scale, bias;
  bool bias_after_scale;
};

double ScalarOf(const Tensor& tensor) {
  switch (tensor.dtype()) {
    case DataType::kFP32:
      return tensor.data<float>()[0];
    case DataType::kFP64:
      return tensor.data<double>()[0];
    case DataType::kInt32:
      return tensor.data<int32_t>()[0];
    case DataType::kInt64:
      return static_cast<double>(tensor.data<int64_t>()[0]);
    default:
      throw DataTypeError(StrCat("input ScaleTensor is ", Name(tensor.dtype()),
                                 ", expected float32, float64, int32 or int64"));
  }
}

Affine Parameters(const KernelContext& c) {
  const Tensor* tensor = c.InputOrNull("ScaleTensor");
  return {tensor != nullptr ? ScalarOf(*tensor) : c.Attr<float>("scale"), c.Attr<float>("bias"),
          c.Attr<bool>("bias_after_scale")};
}

math::Activation Fused(const OpLite& op) {
  const std::string& name = op.Attr<std::string>("activation_type");
  if (name == "relu6") return {math::Act::kRelu6, op.Attr<float>("alpha")};
  return ActivationByName(name, "activation_type", op.Attr<float>("alpha"));
}

math::Activation AffineStep(double scale, double bias, bool bias_after_scale) {
  const double shift = bias_after_scale ? bias : scale * bias;
  return {math::Act::kAffine, static_cast<float>(scale), static_cast<float>(shift)};
}

math::Activation ScaleAsActivation(const OpLite& op) {
  if (!op.Input("ScaleTensor").empty() || Fused(op).kind != math::Act::kNone) return {};
  return AffineStep(op.Attr<float>("scale"), op.Attr<float>("bias"),
                    op.Attr<bool>("bias_after_scale"));
}

void InferScale(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  if (c.HasInput("ScaleTensor"))
    c.Require(c.Dims("ScaleTensor").production() == 1, "input ScaleTensor has shape ",
              c.Dims("ScaleTensor"), ", expected one element");
  if (Fused(c.op()).kind != math::Act::kNone) RequireFloat(c, "X");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

void RunScaleFloat(KernelContext& c, const Affine& p) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  out.set_layout(x.layout());
  const auto* from = x.data<float>();
  auto* to = out.mutable_data<float>();
  math::EpilogueStep steps[2];
  steps[0].act = AffineStep(p.scale, p.bias, p.bias_after_scale);
  steps[1].act = Fused(c.op());
  const int count = steps[1].act.kind == math::Act::kNone ? 1 : 2;
  math::ParallelRange(
      c.threads(), x.numel(), math::kElementGrain,
      [&](int64_t begin, int64_t end) {
        const int64_t n = end - begin;
        math::RunSteps(1, n, from + begin, n, to + begin, n, steps, count, 0);
      },
      16);
}

// The parameters are first converted to the tensor's type, as in Paddle.
template <typename T>
void RunAny(KernelContext& c, const Affine& p) {
  const T scale = NumberCast<T>(p.scale), bias = NumberCast<T>(p.bias);
  if constexpr (std::is_same_v<T, bool>) {
    if (p.bias_after_scale)
      ApplyUnary<T, T>(c, [=](bool x) { return (x && scale) || bias; });
    else
      ApplyUnary<T, T>(c, [=](bool x) { return (x || bias) && scale; });
  } else if (p.bias_after_scale) {
    ApplyUnary<T, T>(c, [=](T x) { return WrapAdd(WrapMul(x, scale), bias); });
  } else {
    ApplyUnary<T, T>(c, [=](T x) { return WrapMul(WrapAdd(x, bias), scale); });
  }
}

template <typename T>
void RunComplex(KernelContext& c, const Affine& p) {
  using C = std::complex<T>;
  const T scale = static_cast<T>(p.scale), bias = static_cast<T>(p.bias);
  if (p.bias_after_scale)
    ApplyUnary<C, C>(c, [=](C x) { return x * scale + bias; });
  else
    ApplyUnary<C, C>(c, [=](C x) { return (x + bias) * scale; });
}

void RunScale(KernelContext& c) {
  const Affine p = Parameters(c);
  const DataType dtype = c.Input("X").dtype();
  if (dtype == DataType::kFP32) return RunScaleFloat(c, p);
  if (IsComplex(dtype))
    return ForParts(dtype, [&](auto zero) { RunComplex<decltype(zero)>(c, p); });
  ForTypes<double, int32_t, int64_t, int16_t, int8_t, uint8_t, bool>(
      c, dtype, [&](auto zero) { RunAny<decltype(zero)>(c, p); });
}

REGISTER_LITE_OP(scale)
    .Input("X")
    .OptionalInput("ScaleTensor")
    .Output("Out")
    .Attr<float>("scale", 1.0f)
    .Attr<float>("bias", 0.0f)
    .Attr<bool>("bias_after_scale", true)
    .Attr<std::string>("activation_type", "")
    .Attr<float>("alpha", 6.0f)
    .InferShape(InferScale)
    .AsActivation(ScaleAsActivation);
REGISTER_LITE_FUNCTION(scale, kHost, kAny, kAny, RunScale, def);

void InferIncrement(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.Require(x.dims.production() == 1, "X has shape ", x.dims, ", expected one element");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

// The step is converted to X's type first; integers wrap around.
template <typename T>
void RunIncrementAs(KernelContext& c) {
  const T x = *c.Input("X").data<T>();
  const float step = c.Attr<float>("step");
  T* out = c.Output("Out").mutable_data<T>();
  if constexpr (std::is_integral_v<T>) {
    if (!(step > -9.2e18f && step < 9.2e18f))
      throw LiteError(StrCat("attribute step is ", step, ", which no integer can hold"));
    *out = static_cast<T>(static_cast<uint64_t>(x) +
                          static_cast<uint64_t>(static_cast<int64_t>(step)));
  } else {
    *out = x + static_cast<T>(step);
  }
}

REGISTER_LITE_OP(increment)
    .Input("X")
    .Output("Out")
    .Attr<float>("step", 1.0f)
    .InferShape(InferIncrement);
REGISTER_LITE_FUNCTION(increment, kHost, kFloat, kNCHW, RunIncrementAs<float>, def);
REGISTER_LITE_FUNCTION(increment, kHost, kFP64, kNCHW, RunIncrementAs<double>, def);
REGISTER_LITE_FUNCTION(increment, kHost, kInt32, kNCHW, RunIncrementAs<int32_t>, def);
REGISTER_LITE_FUNCTION(increment, kHost, kInt64, kNCHW, RunIncrementAs<int64_t>, def);

math::Activation ClipAsActivation(const OpLite& op) {
  if (!op.Input("Min").empty() || !op.Input("Max").empty()) return {};
  return {math::Act::kClip, op.Attr<float>("min"), op.Attr<float>("max")};
}

// A tensor wins over the attribute.
double Bound(const KernelContext& c, const char* slot, const char* attribute) {
  const Tensor* tensor = c.InputOrNull(slot);
  if (tensor == nullptr) return c.Attr<float>(attribute);
  double value = 0;
  ForTypes<float, double, int32_t, int64_t>(c, tensor->dtype(), [&](auto zero) {
    value = static_cast<double>(tensor->data<decltype(zero)>()[0]);
  });
  return value;
}

void InferClipOp(InferContext& c) {
  for (const char* slot : {"Min", "Max"})
    if (c.HasInput(slot))
      c.Require(c.Dims(slot).production() == 1, "input ", slot, " has shape ", c.Dims(slot),
                ", expected one element");
  const TensorMeta& x = c.Input("X");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

void RunClipOp(KernelContext& c) {
  const double min = Bound(c, "Min", "min"), max = Bound(c, "Max", "max");
  if (!(min <= max)) throw LiteError(StrCat("clip to [", min, ", ", max, "]: expected min <= max"));
  const DataType dtype = c.Input("X").dtype();
  if (dtype == DataType::kFP32)
    return RunActivation(c, {math::Act::kClip, static_cast<float>(min), static_cast<float>(max)});
  ForTypes<double, int32_t, int64_t>(c, dtype, [&](auto zero) {
    using T = decltype(zero);
    const T low = NumberCast<T>(min), high = NumberCast<T>(max);
    ApplyUnary<T, T>(c, [=](T v) { return v < low ? low : v > high ? high : v; });
  });
}

REGISTER_LITE_OP(clip)
    .Input("X")
    .OptionalInput("Min")
    .OptionalInput("Max")
    .Output("Out")
    .Attr<float>("min", std::numeric_limits<float>::lowest())
    .Attr<float>("max", std::numeric_limits<float>::max())
    .InferShape(InferClipOp)
    .AsActivation(ClipAsActivation);
REGISTER_LITE_FUNCTION(clip, kHost, kAny, kAny, RunClipOp, def);

// Out = X ^ factor; a factor for integers is cut off to an integer first, as in Paddle.
double Factor(const KernelContext& c) {
  const Tensor* tensor = c.InputOrNull("FactorTensor");
  if (tensor == nullptr) return c.Attr<float>("factor");
  double value = 0;
  ForTypes<float, double, int32_t, int64_t>(c, tensor->dtype(), [&](auto zero) {
    value = static_cast<double>(tensor->data<decltype(zero)>()[0]);
  });
  return value;
}

// What a product of `power` factors wraps to.
template <typename T>
T WholePower(T v, T power) {
  T made = 1;
  for (; power > 0; power /= 2, v = WrapMul(v, v))
    if (power % 2 != 0) made = WrapMul(made, v);
  return made;
}

template <typename T>
void RunPowAs(KernelContext& c, double factor) {
  if constexpr (std::is_integral_v<T>) {
    const T power = NumberCast<T>(factor);
    if (power >= 0) return ApplyUnary<T, T>(c, [=](T v) { return WholePower(v, power); });
    ApplyUnary<T, T>(c, [=](T v) {
      return NumberCast<T>(std::pow(static_cast<double>(v), static_cast<double>(power)));
    });
  } else {
    const T power = static_cast<T>(factor);
    if (power == T(2)) return ApplyUnary<T, T>(c, [](T v) { return v * v; });
    if (power == T(3)) return ApplyUnary<T, T>(c, [](T v) { return v * v * v; });
    ApplyUnary<T, T>(c, [=](T v) { return std::pow(v, power); });
  }
}

void InferPow(InferContext& c) {
  if (c.HasInput("FactorTensor"))
    c.Require(c.Dims("FactorTensor").production() == 1, "input FactorTensor has shape ",
              c.Dims("FactorTensor"), ", expected one element");
  const TensorMeta& x = c.Input("X");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

void RunPowOp(KernelContext& c) {
  const double factor = Factor(c);
  ForTypes<float, double, int32_t, int64_t>(
      c, c.Input("X").dtype(), [&](auto zero) { RunPowAs<decltype(zero)>(c, factor); });
}

REGISTER_LITE_OP(pow)
    .Input("X")
    .OptionalInput("FactorTensor")
    .Output("Out")
    .Attr<float>("factor", 1.0f)
    .InferShape(InferPow);
REGISTER_LITE_FUNCTION(pow, kHost, kAny, kAny, RunPowOp, def);

}  // namespace
}  // namespace paddle::lite
