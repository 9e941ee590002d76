// Out: indexes drawn with the relative probabilities in each row of X, with or without replacement.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "lite/kernels/cpu/normalize.h"
#include "lite/kernels/cpu/random.h"

namespace paddle::lite {
namespace {

void InferMultinomial(InferContext& c) {
  RequireFloating(c, "X");
  const DDim& x = c.Dims("X");
  const int32_t count = c.Attr<int32_t>("num_samples");
  c.Require(x.size() == 1 || x.size() == 2, "input X has shape ", x, ", expected rank 1 or 2");
  c.Require(x.back() > 0, "input X has shape ", x, ", expected at least one category");
  c.Require(count > 0, "attribute num_samples is ", count, ", expected a positive number");
  c.Require(c.Attr<bool>("replacement") || count <= x.back(), "attribute num_samples is ", count,
            ", expected at most the ", x.back(), " categories of X without replacement");
  DDim out = x;
  out[out.size() - 1] = count;
  c.SetOutput("Out", out, DataType::kInt64);
}

void DrawWithReplacement(RandomEngine& engine, const double* p, int64_t cols, int64_t count,
                         int64_t* to) {
  std::vector<double> sums(static_cast<size_t>(cols));
  double sum = 0;
  for (int64_t i = 0; i < cols; ++i) sums[static_cast<size_t>(i)] = sum += p[i];
  for (int64_t i = 0; i < count; ++i) {
    const auto found =
        std::upper_bound(sums.begin(), sums.end(), DrawUniform<double>(engine) * sum);
    // A product rounded up to the sum is the last category that has any probability.
    to[i] = found != sums.end() ? found - sums.begin()
                                : std::lower_bound(sums.begin(), sums.end(), sum) - sums.begin();
  }
}

// A race: each category arrives after an exponential time with its probability as the rate.
void DrawWithoutReplacement(RandomEngine& engine, const double* p, int64_t cols, int64_t count,
                            int64_t* to) {
  std::vector<std::pair<double, int64_t>> arrivals;
  for (int64_t i = 0; i < cols; ++i)
    if (p[i] > 0) arrivals.emplace_back(-std::log1p(-DrawUniform<double>(engine)) / p[i], i);
  if (static_cast<int64_t>(arrivals.size()) < count)
    throw LiteError(StrCat("input X has a row of ", arrivals.size(),
                           " categories with a probability above 0, expected at least "
                           "num_samples ",
                           count, " without replacement"));
  std::partial_sort(arrivals.begin(), arrivals.begin() + count, arrivals.end());
  for (int64_t i = 0; i < count; ++i) to[i] = arrivals[static_cast<size_t>(i)].second;
}

void RunMultinomial(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  std::vector<double> p = Doubles(x);
  RequireRange(p, "X", 0, std::numeric_limits<float>::max());
  RandomEngine engine = MakeEngine(0);
  const int64_t cols = x.dims().back(), count = c.Attr<int32_t>("num_samples");
  int64_t* to = out.mutable_data<int64_t>();
  for (int64_t row = 0; row < x.numel() / cols; ++row) {
    const double* from = p.data() + row * cols;
    if (std::all_of(from, from + cols, [](double value) { return value == 0; }))
      throw LiteError(StrCat("row ", row, " of input X is all 0, expected some probability"));
    (c.Attr<bool>("replacement") ? DrawWithReplacement : DrawWithoutReplacement)(
        engine, from, cols, count, to + row * count);
  }
}

REGISTER_LITE_OP(multinomial)
    .Input("X")
    .Output("Out")
    .Attr<int32_t>("num_samples", 1)
    .Attr<bool>("replacement", false)
    .InferShape(InferMultinomial)
    .Random();
REGISTER_LITE_FUNCTION(multinomial, kHost, kAny, kNCHW, RunMultinomial, def);

}  // namespace
}  // namespace paddle::lite
