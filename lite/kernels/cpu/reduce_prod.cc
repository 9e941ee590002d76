#include "lite/kernels/cpu/reduce.h"

namespace paddle::lite {
namespace {

void InferReduceProd(InferContext& c) {
  InferReduce(c, {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64},
              c.Input("X").dtype);
}

void RunReduceProd(KernelContext& c) {
  const DataType dtype = c.Input("X").dtype();
  if (dtype == DataType::kFP32) return RunReduceFloat(c, math::Reduction::kProd);
  ForTypes<double, int32_t, int64_t>(c, dtype, [&](auto zero) {
    using T = decltype(zero);
    ReduceWith<T, T>(
        c, T(1), [](T a, T b) { return WrapMul(a, b); }, [](T value, int64_t) { return value; });
  });
}

REGISTER_LITE_OP(reduce_prod)
    .Input("X")
    .Output("Out")
    .Attr<std::vector<int>>("dim", {0})
    .Attr<bool>("keep_dim", false)
    .Attr<bool>("reduce_all", false)
    .InferShape(InferReduceProd);
REGISTER_LITE_FUNCTION(reduce_prod, kHost, kAny, kNCHW, RunReduceProd, def);
REGISTER_LITE_FUNCTION(reduce_prod, kHost, kFloat, kNHWC, RunReduceProd, def);

}  // namespace
}  // namespace paddle::lite
