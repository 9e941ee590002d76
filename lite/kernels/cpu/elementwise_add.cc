#include "lite/kernels/cpu/complex.h"

namespace paddle::lite {
namespace {

void RunElementwiseAdd(KernelContext& c) {
  const DataType dtype = c.Output("Out").dtype();
  if (dtype == DataType::kFP32) return RunBinaryFloat(c, math::EpilogueStep::kAdd, {});
  if (IsComplex(dtype)) return RunComplexArithmetic(c, math::EpilogueStep::kAdd);
  ForTypes<double, int32_t, int64_t, int16_t, int8_t, uint8_t>(c, dtype, [&](auto zero) {
    using T = decltype(zero);
    ApplyBroadcast<T, T>(c, WrapAdd<T>, c.Attr<int>("axis"));
  });
}

REGISTER_LITE_OP(elementwise_add)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<int>("axis", -1)
    .InferShape(InferArithmetic)
    .AsBinary(math::EpilogueStep::kAdd);
REGISTER_LITE_FUNCTION(elementwise_add, kHost, kAny, kNCHW, RunElementwiseAdd, def);
REGISTER_LITE_FUNCTION(elementwise_add, kHost, kFloat, kNHWC, RunElementwiseAdd, def);

}  // namespace
}  // namespace paddle::lite
