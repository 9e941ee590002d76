#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/math/vector_math.h"

namespace paddle::lite {
namespace {

void RunSelu(KernelContext& c) {
  const float scale = c.Attr<float>("scale");
  const float alpha = c.Attr<float>("alpha");
  const Tensor& x = c.Input("X");
  if (x.dtype() == DataType::kFP64)
    return ApplyUnary<double, double>(
        c, [=](double v) { return scale * (v > 0 ? v : alpha * (std::exp(v) - 1)); });
  Tensor& out = c.Output("Out");
  out.set_layout(x.layout());
  math::RunVector(math::VectorFunction::kSelu, x.numel(), x.data<float>(),
                  out.mutable_data<float>(), scale, alpha, c.threads());
}

REGISTER_LITE_OP(selu)
    .Input("X")
    .Output("Out")
    .Attr<float>("scale", 1.0507009873554804934193349852946f)
    .Attr<float>("alpha", 1.6732632423543772848170429916717f)
    .InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(selu, kHost, kAny, kAny, RunSelu, def);

}  // namespace
}  // namespace paddle::lite
