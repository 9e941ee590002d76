#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void RunElementwiseMin(KernelContext& c) {
  const DataType dtype = c.Input("X").dtype();
  if (dtype == DataType::kFP32) return RunBinaryFloat(c, math::EpilogueStep::kMin, {});
  ForTypes<double, int32_t, int64_t, int16_t, int8_t, uint8_t>(c, dtype, [&](auto zero) {
    using T = decltype(zero);
    ApplyBroadcast<T, T>(
        c, [](T x, T y) { return x < y ? x : y; }, c.Attr<int>("axis"));
  });
}

REGISTER_LITE_OP(elementwise_min)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<int>("axis", -1)
    .InferShape(InferBinary)
    .AsBinary(math::EpilogueStep::kMin);
REGISTER_LITE_FUNCTION(elementwise_min, kHost, kAny, kNCHW, RunElementwiseMin, def);
REGISTER_LITE_FUNCTION(elementwise_min, kHost, kFloat, kNHWC, RunElementwiseMin, def);

}  // namespace
}  // namespace paddle::lite
