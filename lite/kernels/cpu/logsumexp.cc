// log(sum(exp(x))) over the dims `axis`, without overflow.
#include "lite/kernels/cpu/reduce.h"

namespace paddle::lite {
namespace {

void InferLogsumexp(InferContext& c) {
  InferReduce(c, {DataType::kFP32, DataType::kFP64}, c.Input("X").dtype);
}

template <typename T>
T LogSumExp(const T* x, int64_t count, int64_t step) {
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;
  for (int64_t a = 0; a < count; ++a) {
    const double v = static_cast<double>(x[a * step]);
    if (std::isnan(v)) return x[a * step];
    largest = std::max(largest, v);
  }
  if (std::isinf(largest)) return static_cast<T>(largest);
  for (int64_t a = 0; a < count; ++a) sum += std::exp(static_cast<double>(x[a * step]) - largest);
  return static_cast<T>(largest + std::log(sum));
}

void RunLogsumexp(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    ReduceLines<T, T>(c, LogSumExp<T>);
  });
}

REGISTER_LITE_OP(logsumexp)
    .Input("X")
    .Output("Out")
    .Attr<std::vector<int>>("axis", {0})
    .Attr<bool>("keepdim", false)
    .Attr<bool>("reduce_all", false)
    .InferShape(InferLogsumexp);
REGISTER_LITE_FUNCTION(logsumexp, kHost, kAny, kNCHW, RunLogsumexp, def);

}  // namespace
}  // namespace paddle::lite
