#include "lite/kernels/cpu/complex.h"

namespace paddle::lite {
namespace {

void RunElementwiseSub(KernelContext& c) {
  const DataType dtype = c.Output("Out").dtype();
  if (dtype == DataType::kFP32) return RunBinaryFloat(c, math::EpilogueStep::kSub, {});
  if (IsComplex(dtype)) return RunComplexArithmetic(c, math::EpilogueStep::kSub);
  ForTypes<double, int32_t, int64_t, int16_t, int8_t, uint8_t>(c, dtype, [&](auto zero) {
    using T = decltype(zero);
    ApplyBroadcast<T, T>(c, WrapSub<T>, c.Attr<int>("axis"));
  });
}

REGISTER_LITE_OP(elementwise_sub)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<int>("axis", -1)
    .InferShape(InferArithmetic)
    .AsBinary(math::EpilogueStep::kSub);
REGISTER_LITE_FUNCTION(elementwise_sub, kHost, kAny, kNCHW, RunElementwiseSub, def);
REGISTER_LITE_FUNCTION(elementwise_sub, kHost, kFloat, kNHWC, RunElementwiseSub, def);

}  // namespace
}  // namespace paddle::lite
