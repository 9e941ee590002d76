#include "lite/kernels/cpu/activation.h"
#include "lite/kernels/cpu/complex.h"

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

}  // namespace
}  // namespace paddle::lite
