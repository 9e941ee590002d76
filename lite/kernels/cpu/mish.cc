#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/math/vector_math.h"

namespace paddle::lite {
namespace {

void RunMish(KernelContext& c) {
  const float threshold = c.Attr<float>("threshold");
  const Tensor& x = c.Input("X");
  if (x.dtype() == DataType::kFP64)
    return ApplyUnary<double, double>(
        c, [=](double v) { return v * std::tanh(v > threshold ? v : std::log1p(std::exp(v))); });
  Tensor& out = c.Output("Out");
  out.set_layout(x.layout());
  math::RunVector(math::VectorFunction::kMish, x.numel(), x.data<float>(),
                  out.mutable_data<float>(), threshold, 0, c.threads());
}

REGISTER_LITE_OP(mish)
    .Input("X")
    .Output("Out")
    .Attr<float>("threshold", 20.0f)
    .InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(mish, kHost, kAny, kAny, RunMish, def);

}  // namespace
}  // namespace paddle::lite
