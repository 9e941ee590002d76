#include "lite/kernels/cpu/reduce.h"

namespace paddle::lite {
namespace {

void InferReduceMax(InferContext& c) {
  InferReduce(c, {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64},
              c.Input("X").dtype);
}

void RunReduceMax(KernelContext& c) {
  const DataType dtype = c.Input("X").dtype();
  if (dtype == DataType::kFP32) return RunReduceFloat(c, math::Reduction::kMax);
  ForTypes<double, int32_t, int64_t>(c, dtype, [&](auto zero) {
    using T = decltype(zero);
    ReduceWith<T, T>(
        c, std::numeric_limits<T>::lowest(), [](T a, T b) { return a > b ? a : b; },
        [](T value, int64_t) { return value; });
  });
}

REGISTER_LITE_OP(reduce_max)
    .Input("X")
    .Output("Out")
    .Attr<std::vector<int>>("dim", {0})
    .Attr<bool>("keep_dim", false)
    .Attr<bool>("reduce_all", false)
    .InferShape(InferReduceMax);
REGISTER_LITE_FUNCTION(reduce_max, kHost, kAny, kNCHW, RunReduceMax, def);
REGISTER_LITE_FUNCTION(reduce_max, kHost, kFloat, kNHWC, RunReduceMax, def);

// Another only in its gradient.
REGISTER_LITE_OP(reduce_amax)
    .Input("X")
    .Output("Out")
    .Attr<std::vector<int>>("dim", {0})
    .Attr<bool>("keep_dim", false)
    .Attr<bool>("reduce_all", false)
    .InferShape(InferReduceMax);
REGISTER_LITE_FUNCTION(reduce_amax, kHost, kAny, kNCHW, RunReduceMax, def);
REGISTER_LITE_FUNCTION(reduce_amax, kHost, kFloat, kNHWC, RunReduceMax, def);

}  // namespace
}  // namespace paddle::lite
