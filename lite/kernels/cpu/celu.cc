#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/math/vector_math.h"

namespace paddle::lite {
namespace {

void RunCelu(KernelContext& c) {
  const float alpha = c.Attr<float>("alpha");
  const Tensor& x = c.Input("X");
  if (x.dtype() == DataType::kFP64)
    return ApplyUnary<double, double>(c, [=](double v) {
      return std::max(0.0, v) + std::min(0.0, alpha * (std::exp(v / alpha) - 1));
    });
  Tensor& out = c.Output("Out");
  out.set_layout(x.layout());
  math::RunVector(math::VectorFunction::kCelu, x.numel(), x.data<float>(),
                  out.mutable_data<float>(), alpha, 0, c.threads());
}

REGISTER_LITE_OP(celu)
    .Input("X")
    .Output("Out")
    .Attr<float>("alpha", 1.0f)
    .InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(celu, kHost, kAny, kAny, RunCelu, def);

}  // namespace
}  // namespace paddle::lite
