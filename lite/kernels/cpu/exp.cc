// Integers give fp32, as in Paddle.
#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation ExpAsActivation(const OpLite&) { return {math::Act::kExp}; }

template <typename T>
void RunExpInteger(KernelContext& c) {
  ApplyUnary<T, float>(c, [](T v) { return std::exp(static_cast<float>(v)); });
}

void RunExp(KernelContext& c) {
  const DataType dtype = c.Input("X").dtype();
  if (dtype == DataType::kInt32) return RunExpInteger<int32_t>(c);
  if (dtype == DataType::kInt64) return RunExpInteger<int64_t>(c);
  RunActivation(c, ExpAsActivation(c.op()));
}

REGISTER_LITE_OP(exp)
    .Input("X")
    .Output("Out")
    .InferShape(InferFloatOfNumber)
    .AsActivation(ExpAsActivation);
REGISTER_LITE_FUNCTION(exp, kHost, kAny, kAny, RunExp, def);

}  // namespace
}  // namespace paddle::lite
