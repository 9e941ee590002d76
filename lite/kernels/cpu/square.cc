#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation AsActivation(const OpLite&) { return {math::Act::kSquare}; }

template <typename T>
void RunInteger(KernelContext& c) {
  ApplyUnary<T, T>(c, [](T v) { return WrapMul(v, v); });
}

void Run(KernelContext& c) {
  const DataType dtype = c.Input("X").dtype();
  if (dtype == DataType::kInt32) return RunInteger<int32_t>(c);
  if (dtype == DataType::kInt64) return RunInteger<int64_t>(c);
  RunActivation(c, AsActivation(c.op()));
}

REGISTER_LITE_OP(square)
    .Input("X")
    .Output("Out")
    .InferShape(InferUnary({DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64}))
    .AsActivation(AsActivation);
REGISTER_LITE_FUNCTION(square, kHost, kAny, kAny, Run, def);

}  // namespace
}  // namespace paddle::lite
