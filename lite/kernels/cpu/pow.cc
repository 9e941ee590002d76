// Out = X ^ factor; a factor for integers is cut off to an integer first, as in Paddle.
#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

double Factor(const KernelContext& c) {
  const Tensor* tensor = c.InputOrNull("FactorTensor");
  if (tensor == nullptr) return c.Attr<float>("factor");
  double value = 0;
  ForTypes<float, double, int32_t, int64_t>(c, tensor->dtype(), [&](auto zero) {
    value = static_cast<double>(tensor->data<decltype(zero)>()[0]);
  });
  return value;
}

template <typename T>
void RunPowAs(KernelContext& c, double factor) {
  if constexpr (std::is_integral_v<T>) {
    const double power = static_cast<double>(NumberCast<T>(factor));
    ApplyUnary<T, T>(c,
                     [=](T v) { return NumberCast<T>(std::pow(static_cast<double>(v), power)); });
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
