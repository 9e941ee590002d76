#include "lite/kernels/cpu/reduce.h"

namespace paddle::lite {
namespace {

void InferReduceAll(InferContext& c) {
  InferReduce(
      c, {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64, DataType::kBool},
      DataType::kBool);
}

void RunReduceAll(KernelContext& c) {
  ForTypes<bool, float, double, int32_t, int64_t>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    ReduceWith<T, bool>(
        c, true, [](bool a, T b) { return a && b != T(0); },
        [](bool value, int64_t) { return value; });
  });
}

REGISTER_LITE_OP(reduce_all)
    .Input("X")
    .Output("Out")
    .Attr<std::vector<int>>("dim", {0})
    .Attr<bool>("keep_dim", false)
    .Attr<bool>("reduce_all", false)
    .InferShape(InferReduceAll);
REGISTER_LITE_FUNCTION(reduce_all, kHost, kAny, kNCHW, RunReduceAll, def);

}  // namespace
}  // namespace paddle::lite
