#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void RunElementwiseMax(KernelContext& c) {
  const DataType dtype = c.Input("X").dtype();
  if (dtype == DataType::kFP32) return RunBinaryFloat(c, math::EpilogueStep::kMax, {});
  ForTypes<double, int32_t, int64_t, int16_t, int8_t, uint8_t>(c, dtype, [&](auto zero) {
    using T = decltype(zero);
    ApplyBroadcast<T, T>(
        c, [](T x, T y) { return x > y ? x : y; }, c.Attr<int>("axis"));
  });
}

REGISTER_LITE_OP(elementwise_max)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<int>("axis", -1)
    .InferShape(InferBinary)
    .AsBinary(math::EpilogueStep::kMax);
REGISTER_LITE_FUNCTION(elementwise_max, kHost, kAny, kNCHW, RunElementwiseMax, def);
REGISTER_LITE_FUNCTION(elementwise_max, kHost, kFloat, kNHWC, RunElementwiseMax, def);

}  // namespace
}  // namespace paddle::lite
