// The variance (var) or its square root (std) over the dims `axis`: the sum of squared deviations
// by the count less `correction`; 0 where that is negative, as in Paddle.
#include "lite/kernels/cpu/reduce.h"

namespace paddle::lite {
namespace {

void InferVariance(InferContext& c) {
  c.Require(std::isfinite(c.Attr<double>("correction")), "attribute correction is ",
            c.Attr<double>("correction"), ", expected a finite number");
  InferReduce(c, {DataType::kFP32, DataType::kFP64}, c.Input("x").dtype);
}

template <typename T>
double Variance(const T* x, int64_t count, int64_t step, double correction) {
  double sum = 0, squares = 0;
  for (int64_t a = 0; a < count; ++a) sum += static_cast<double>(x[a * step]);
  const double mean = sum / static_cast<double>(count);
  for (int64_t a = 0; a < count; ++a) {
    const double deviation = static_cast<double>(x[a * step]) - mean;
    squares += deviation * deviation;
  }
  const double divisor = static_cast<double>(count) - correction;
  return divisor < 0 && !std::isnan(squares) ? 0 : squares / divisor;
}

template <bool kRoot>
void RunVariance(KernelContext& c) {
  const double correction = c.Attr<double>("correction");
  ForTypes<float, double>(c, c.Input("x").dtype(), [&](auto zero) {
    using T = decltype(zero);
    ReduceLines<T, T>(c, [=](const T* x, int64_t count, int64_t step) {
      const double value = Variance(x, count, step, correction);
      return static_cast<T>(kRoot ? std::sqrt(value) : value);
    });
  });
}

// `unbiased` is of no effect in Paddle: it sets `correction` where a program is written.
REGISTER_LITE_OP(var)
    .Input("x")
    .Output("out")
    .Attr<std::vector<int>>("axis", {})
    .Attr<bool>("keepdim", false)
    .Attr<double>("correction", 1.0)
    .InferShape(InferVariance);
REGISTER_LITE_FUNCTION(var, kHost, kAny, kNCHW, RunVariance<false>, def);
REGISTER_LITE_OP(std)
    .Input("x")
    .Output("out")
    .Attr<std::vector<int>>("axis", {})
    .Attr<bool>("keepdim", false)
    .Attr<double>("correction", 1.0)
    .InferShape(InferVariance);
REGISTER_LITE_FUNCTION(std, kHost, kAny, kNCHW, RunVariance<true>, def);

}  // namespace
}  // namespace paddle::lite
