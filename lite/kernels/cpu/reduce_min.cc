#include "lite/kernels/cpu/reduce.h"

namespace paddle::lite {
namespace {

void InferReduceMin(InferContext& c) {
  InferReduce(c, {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64},
              c.Input("X").dtype);
}

void RunReduceMin(KernelContext& c) {
  const DataType dtype = c.Input("X").dtype();
  if (dtype == DataType::kFP32) return RunReduceFloat(c, math::Reduction::kMin);
  ForTypes<double, int32_t, int64_t>(c, dtype, [&](auto zero) {
    using T = decltype(zero);
    ReduceWith<T, T>(
        c, std::numeric_limits<T>::max(), [](T a, T b) { return a < b ? a : b; },
        [](T value, int64_t) { return value; });
  });
}

REGISTER_LITE_OP(reduce_min)
    .Input("X")
    .Output("Out")
    .Attr<std::vector<int>>("dim", {0})
    .Attr<bool>("keep_dim", false)
    .Attr<bool>("reduce_all", false)
    .InferShape(InferReduceMin);
REGISTER_LITE_FUNCTION(reduce_min, kHost, kAny, kNCHW, RunReduceMin, def);
REGISTER_LITE_FUNCTION(reduce_min, kHost, kFloat, kNHWC, RunReduceMin, def);

// Another only in its gradient.
REGISTER_LITE_OP(reduce_amin)
    .Input("X")
    .Output("Out")
    .Attr<std::vector<int>>("dim", {0})
    .Attr<bool>("keep_dim", false)
    .Attr<bool>("reduce_all", false)
    .InferShape(InferReduceMin);
REGISTER_LITE_FUNCTION(reduce_amin, kHost, kAny, kNCHW, RunReduceMin, def);
REGISTER_LITE_FUNCTION(reduce_amin, kHost, kFloat, kNHWC, RunReduceMin, def);

}  // namespace
}  // namespace paddle::lite
