#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation AsActivation(const OpLite&) { return {math::Act::kAbs}; }

template <typename T>
void RunInteger(KernelContext& c) {
  ApplyUnary<T, T>(c, [](T x) { return x < 0 ? WrapSub(T(0), x) : x; });
}

void Run(KernelContext& c) {
  const DataType dtype = c.Input("X").dtype();
  if (dtype == DataType::kInt32) return RunInteger<int32_t>(c);
  if (dtype == DataType::kInt64) return RunInteger<int64_t>(c);
  RunActivation(c, AsActivation(c.op()));
}

// Paddle does not pass the LoD on here.
REGISTER_LITE_OP(abs)
    .Input("X")
    .Output("Out")
    .InferShape(InferUnary({DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64},
                           false))
    .AsActivation(AsActivation);
REGISTER_LITE_FUNCTION(abs, kHost, kAny, kAny, Run, def);

}  // namespace
}  // namespace paddle::lite
