#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/math/vector_math.h"

namespace paddle::lite {
namespace {

void RunSoftplus(KernelContext& c) {
  const float beta = c.Attr<float>("beta");
  const float threshold = c.Attr<float>("threshold");
  const Tensor& x = c.Input("X");
  if (x.dtype() == DataType::kFP64)
    return ApplyUnary<double, double>(c, [=](double v) {
      return v * beta > threshold ? v : std::log1p(std::exp(v * beta)) / beta;
    });
  Tensor& out = c.Output("Out");
  out.set_layout(x.layout());
  math::RunVector(math::VectorFunction::kSoftplus, x.numel(), x.data<float>(),
                  out.mutable_data<float>(), beta, threshold, c.threads());
}

REGISTER_LITE_OP(softplus)
    .Input("X")
    .Output("Out")
    .Attr<float>("beta", 1.0f)
    .Attr<float>("threshold", 20.0f)
    .InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(softplus, kHost, kAny, kAny, RunSoftplus, def);

}  // namespace
}  // namespace paddle::lite
