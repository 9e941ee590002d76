// Integers are divided towards zero and bool is true where any element is, as in Paddle.
#include "lite/kernels/cpu/complex.h"
#include "lite/kernels/cpu/reduce.h"

namespace paddle::lite {
namespace {

void InferReduceMean(InferContext& c) {
  InferReduce(c,
              {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64,
               DataType::kBool, DataType::kComplex64, DataType::kComplex128},
              c.Input("X").dtype);
}

void RunReduceMeanComplex(KernelContext& c, DataType dtype) {
  ForParts(dtype, [&](auto zero) {
    using T = decltype(zero);
    using C = std::complex<T>;
    ReduceWith<C, C>(
        c, C(), [](C sum, C x) { return sum + x; },
        [](C sum, int64_t count) { return sum / static_cast<T>(count); });
  });
}

void RunReduceMean(KernelContext& c) {
  const DataType dtype = c.Input("X").dtype();
  if (dtype == DataType::kFP32) return RunReduceFloat(c, math::Reduction::kMean);
  if (dtype == DataType::kBool)
    return ReduceWith<bool, bool>(
        c, false, [](bool a, bool b) { return a || b; }, [](bool value, int64_t) { return value; });
  if (IsComplex(dtype)) return RunReduceMeanComplex(c, dtype);
  ForTypes<double, int32_t, int64_t>(c, dtype, [&](auto zero) {
    using T = decltype(zero);
    ReduceWith<T, T>(
        c, T(0), [](T a, T b) { return WrapAdd(a, b); },
        [](T sum, int64_t count) { return static_cast<T>(sum / static_cast<T>(count)); });
  });
}

REGISTER_LITE_OP(reduce_mean)
    .Input("X")
    .Output("Out")
    .Attr<std::vector<int>>("dim", {0})
    .Attr<bool>("keep_dim", false)
    .Attr<bool>("reduce_all", false)
    .InferShape(InferReduceMean);
REGISTER_LITE_FUNCTION(reduce_mean, kHost, kAny, kNCHW, RunReduceMean, def);
REGISTER_LITE_FUNCTION(reduce_mean, kHost, kFloat, kNHWC, RunReduceMean, def);

}  // namespace
}  // namespace paddle::lite
