#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation SquareAsActivation(const OpLite&) { return {math::Act::kSquare}; }

template <typename T>
void RunSquareInteger(KernelContext& c) {
  ApplyUnary<T, T>(c, [](T v) { return WrapMul(v, v); });
}

void RunSquare(KernelContext& c) {
  const DataType dtype = c.Input("X").dtype();
  if (dtype == DataType::kInt32) return RunSquareInteger<int32_t>(c);
  if (dtype == DataType::kInt64) return RunSquareInteger<int64_t>(c);
  RunActivation(c, SquareAsActivation(c.op()));
}

REGISTER_LITE_OP(square)
    .Input("X")
    .Output("Out")
    .InferShape(InferUnary({DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64}))
    .AsActivation(SquareAsActivation);
REGISTER_LITE_FUNCTION(square, kHost, kAny, kAny, RunSquare, def);

}  // namespace
}  // namespace paddle::lite
