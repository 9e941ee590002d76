#include "lite/kernels/cpu/complex.h"

namespace paddle::lite {
namespace {

void RunElementwiseMul(KernelContext& c) {
  const DataType dtype = c.Output("Out").dtype();
  if (dtype == DataType::kFP32) return RunBinaryFloat(c, math::EpilogueStep::kMul, {});
  if (IsComplex(dtype)) return RunComplexArithmetic(c, math::EpilogueStep::kMul);
  ForTypes<double, int32_t, int64_t, int16_t, int8_t, uint8_t, bool>(c, dtype, [&](auto zero) {
    using T = decltype(zero);
    ApplyBroadcast<T, T>(c, WrapMul<T>, c.Attr<int>("axis"));
  });
}

REGISTER_LITE_OP(elementwise_mul)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<int>("axis", -1)
    .InferShape(InferArithmetic)
    .AsBinary(math::EpilogueStep::kMul);
REGISTER_LITE_FUNCTION(elementwise_mul, kHost, kAny, kNCHW, RunElementwiseMul, def);
REGISTER_LITE_FUNCTION(elementwise_mul, kHost, kFloat, kNHWC, RunElementwiseMul, def);

}  // namespace
}  // namespace paddle::lite
