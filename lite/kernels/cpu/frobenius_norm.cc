// The square root of the sum of squares over the dims `dim`.
#include "lite/kernels/cpu/reduce.h"

namespace paddle::lite {
namespace {

void InferFrobeniusNorm(InferContext& c) {
  InferReduce(c, {DataType::kFP32, DataType::kFP64}, c.Input("X").dtype);
}

void RunFrobeniusNorm(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    ReduceLines<T, T>(c, [](const T* x, int64_t count, int64_t step) {
      double sum = 0;
      for (int64_t a = 0; a < count; ++a) {
        const double v = static_cast<double>(x[a * step]);
        sum += v * v;
      }
      return static_cast<T>(std::sqrt(sum));
    });
  });
}

REGISTER_LITE_OP(frobenius_norm)
    .Input("X")
    .Output("Out")
    .Attr<std::vector<int>>("dim", {0})
    .Attr<bool>("keep_dim", false)
    .Attr<bool>("reduce_all", false)
    .InferShape(InferFrobeniusNorm);
REGISTER_LITE_FUNCTION(frobenius_norm, kHost, kAny, kNCHW, RunFrobeniusNorm, def);

}  // namespace
}  // namespace paddle::lite
