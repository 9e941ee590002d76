// Integers give fp32, as in Paddle.
#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation AsActivation(const OpLite&) { return {math::Act::kExp}; }

template <typename T>
void RunInteger(KernelContext& c) {
  ApplyUnary<T, float>(c, [](T v) { return std::exp(static_cast<float>(v)); });
}

void Run(KernelContext& c) {
  const DataType dtype = c.Input("X").dtype();
  if (dtype == DataType::kInt32) return RunInteger<int32_t>(c);
  if (dtype == DataType::kInt64) return RunInteger<int64_t>(c);
  RunActivation(c, AsActivation(c.op()));
}

REGISTER_LITE_OP(exp)
    .Input("X")
    .Output("Out")
    .InferShape(InferFloatOfNumber)
    .AsActivation(AsActivation);
REGISTER_LITE_FUNCTION(exp, kHost, kAny, kAny, Run, def);

}  // namespace
}  // namespace paddle::lite
