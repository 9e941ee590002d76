#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/math/vector_math.h"

namespace paddle::lite {
namespace {

void RunTanhShrink(KernelContext& c) {
  const Tensor& x = c.Input("X");
  if (x.dtype() == DataType::kFP64)
    return ApplyUnary<double, double>(c, [](double v) { return v - std::tanh(v); });
  Tensor& out = c.Output("Out");
  out.set_layout(x.layout());
  math::RunVector(math::VectorFunction::kTanhShrink, x.numel(), x.data<float>(),
                  out.mutable_data<float>(), 0, 0, c.threads());
}

REGISTER_LITE_OP(tanh_shrink).Input("X").Output("Out").InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(tanh_shrink, kHost, kAny, kAny, RunTanhShrink, def);

}  // namespace
}  // namespace paddle::lite
