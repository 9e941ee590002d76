// Integers give fp32, as in Paddle.
#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/math/vector_math.h"

namespace paddle::lite {
namespace {

template <typename T>
void RunLogInteger(KernelContext& c) {
  ApplyUnary<T, float>(c, [](T v) { return std::log(static_cast<float>(v)); });
}

void RunLog(KernelContext& c) {
  const Tensor& x = c.Input("X");
  if (x.dtype() == DataType::kInt32) return RunLogInteger<int32_t>(c);
  if (x.dtype() == DataType::kInt64) return RunLogInteger<int64_t>(c);
  if (x.dtype() == DataType::kFP64)
    return ApplyUnary<double, double>(c, [](double v) { return std::log(v); });
  Tensor& out = c.Output("Out");
  out.set_layout(x.layout());
  math::RunVector(math::VectorFunction::kLog, x.numel(), x.data<float>(), out.mutable_data<float>(),
                  0, 0, c.threads());
}

REGISTER_LITE_OP(log).Input("X").Output("Out").InferShape(InferFloatOfNumber);
REGISTER_LITE_FUNCTION(log, kHost, kAny, kAny, RunLog, def);

}  // namespace
}  // namespace paddle::lite
