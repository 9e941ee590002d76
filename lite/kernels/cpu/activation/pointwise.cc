// Activations that are no step of epilogues.
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/math/vector_math.h"

namespace paddle::lite {
namespace {

#define LITE_X_OUT(op) REGISTER_LITE_OP(op).Input("X").Output("Out").InferShape(InferFloatUnary())

// fp32 by a vector function with the parameters a and b; `expression` is the definition, for fp64.
#define LITE_VECTOR_ACTIVATION(op, function, a_value, b_value, expression) \
  void Run_##op(KernelContext& c) {                                        \
    [[maybe_unused]] const float a = a_value, b = b_value;                 \
    RunVectorFunction(c, math::VectorFunction::function, a, b,             \
                      [=](double v) { return expression; });               \
  }                                                                        \
  REGISTER_LITE_FUNCTION(op, kHost, kAny, kAny, Run_##op, def);            \
  LITE_X_OUT(op)

LITE_VECTOR_ACTIVATION(celu, kCelu, c.Attr<float>("alpha"), 0,
                       std::max(0.0, v) + std::min(0.0, (a * (std::exp(v / a) - 1))))
    .Attr<float>("alpha", 1.0f);
LITE_VECTOR_ACTIVATION(selu, kSelu, c.Attr<float>("scale"), c.Attr<float>("alpha"),
                       (a * (v > 0 ? v : b * (std::exp(v) - 1))))
    .Attr<float>("scale", 1.0507009873554804934193349852946f)
    .Attr<float>("alpha", 1.6732632423543772848170429916717f);
LITE_VECTOR_ACTIVATION(softplus, kSoftplus, c.Attr<float>("beta"), c.Attr<float>("threshold"),
                       (v * a > b ? v : std::log1p(std::exp(v * a)) / a))
    .Attr<float>("beta", 1.0f)
    .Attr<float>("threshold", 20.0f);
LITE_VECTOR_ACTIVATION(mish, kMish, c.Attr<float>("threshold"), 0,
                       (v * std::tanh(v > a ? v : std::log1p(std::exp(v)))))
    .Attr<float>("threshold", 20.0f);
LITE_VECTOR_ACTIVATION(tanh_shrink, kTanhShrink, 0, 0, v - std::tanh(v));
#undef LITE_VECTOR_ACTIVATION

// fp32 and fp64 by their definition; t is the attribute.
#define LITE_THRESHOLD_ACTIVATION(op, attribute, value, expression)   \
  void Run_##op(KernelContext& c) {                                   \
    ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) { \
      using T = decltype(zero);                                       \
      const T t = c.Attr<float>(attribute);                           \
      ApplyUnary<T, T>(c, [=](T v) { return expression; });           \
    });                                                               \
  }                                                                   \
  REGISTER_LITE_FUNCTION(op, kHost, kAny, kAny, Run_##op, def);       \
  LITE_X_OUT(op).Attr<float>(attribute, value)

// NaN stays.
LITE_THRESHOLD_ACTIVATION(hard_shrink, "threshold", 0.5f, v <= t && v >= -t ? T(0) : v);
// Without a branch on the numbers.
LITE_THRESHOLD_ACTIVATION(softshrink, "lambda", 0.5f,
                          std::max(v - t, T(0)) + std::min(v + t, T(0)));
LITE_THRESHOLD_ACTIVATION(thresholded_relu, "threshold", 1.0f, v <= t ? T(0) : v);
#undef LITE_THRESHOLD_ACTIVATION
#undef LITE_X_OUT

}  // namespace
}  // namespace paddle::lite
