// One random number for each element of an input that holds the distributions' parameters.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/normalize.h"
#include "lite/kernels/cpu/random.h"

namespace paddle::lite {
namespace {

constexpr double kMax = std::numeric_limits<double>::max();

template <typename T>
void StoreAs(Tensor& out, const std::vector<double>& values) {
  T* to = out.mutable_data<T>();
  for (size_t i = 0; i < values.size(); ++i) to[i] = static_cast<T>(values[i]);
}

void StoreFloating(Tensor& out, const std::vector<double>& values) {
  if (out.dtype() == DataType::kFP64) return StoreAs<double>(out, values);
  StoreAs<float>(out, values);
}

// -- bernoulli: 1 with the probability X, else 0.

void RunBernoulli(KernelContext& c) {
  std::vector<double> values = Doubles(c.Input("X"));
  RequireRange(values, "X", 0, 1);
  RandomEngine engine = MakeEngine(0);
  for (double& value : values) value = DrawUniform<double>(engine) < value ? 1 : 0;
  StoreFloating(c.Output("Out"), values);
}

REGISTER_LITE_OP(bernoulli)
    .Input("X")
    .Output("Out")
    .InferShape(InferFloatUnary(/*keeps_lod=*/false))
    .Random();
REGISTER_LITE_FUNCTION(bernoulli, kHost, kAny, kNCHW, RunBernoulli, def);

// -- poisson with the mean X.

double DrawPoisson(RandomEngine& engine, double mean) {
  // From there on the difference to a normal distribution is below float's resolution.
  constexpr double kLarge = 1e8;
  if (mean == 0) return 0;
  if (mean < kLarge) return static_cast<double>(std::poisson_distribution<int64_t>(mean)(engine));
  return std::floor(mean + std::sqrt(mean) * std::normal_distribution<double>()(engine) + 0.5);
}

void RunPoisson(KernelContext& c) {
  std::vector<double> values = Doubles(c.Input("X"));
  RequireRange(values, "X", 0, kMax);
  RandomEngine engine = MakeEngine(0);
  for (double& value : values) value = DrawPoisson(engine, value);
  StoreFloating(c.Output("Out"), values);
}

REGISTER_LITE_OP(poisson)
    .Input("X")
    .Output("Out")
    .InferShape(InferFloatUnary(/*keeps_lod=*/false))
    .Random();
REGISTER_LITE_FUNCTION(poisson, kHost, kAny, kNCHW, RunPoisson, def);

// -- exponential with the rate lambda; X gives the shape.

void InferExponential(InferContext& c) {
  RequireFloating(c, "X");
  const float rate = FiniteAttr(c, "lambda");
  c.Require(rate > 0, "attribute lambda is ", rate, ", expected a positive number");
  c.SetOutput("Out", c.Dims("X"), c.Input("X").dtype);
}

void RunExponential(KernelContext& c) {
  Tensor& out = c.Output("Out");
  std::vector<double> values(static_cast<size_t>(out.numel()));
  RandomEngine engine = MakeEngine(0);
  const double rate = c.Attr<float>("lambda");
  for (double& value : values) value = -std::log1p(-DrawUniform<double>(engine)) / rate;
  StoreFloating(out, values);
}

REGISTER_LITE_OP(exponential)
    .Input("X")
    .Output("Out")
    .Attr<float>("lambda", 1.0f)
    .InferShape(InferExponential)
    .ShapeOnly()
    .Random();
REGISTER_LITE_FUNCTION(exponential, kHost, kAny, kNCHW, RunExponential, def);

// -- standard_gamma with the shape parameter x, and dirichlet, which normalises such draws.

double DrawGamma(RandomEngine& engine, double shape) {
  return std::gamma_distribution<double>(shape, 1)(engine);
}

constexpr double kTinyProbability = std::numeric_limits<double>::min();

void InferGamma(InferContext& c) {
  RequireFloating(c, "x");
  c.SetOutput("out", c.Dims("x"), c.Input("x").dtype);
}

void RunGamma(KernelContext& c) {
  std::vector<double> values = Doubles(c.Input("x"));
  RequireRange(values, "x", kTinyProbability, kMax);
  RandomEngine engine = MakeEngine(0);
  for (double& value : values) value = DrawGamma(engine, value);
  StoreFloating(c.Output("out"), values);
}

REGISTER_LITE_OP(standard_gamma).Input("x").Output("out").InferShape(InferGamma).Random();
REGISTER_LITE_FUNCTION(standard_gamma, kHost, kAny, kNCHW, RunGamma, def);

void InferDirichlet(InferContext& c) {
  RequireFloating(c, "Alpha");
  c.Require(!c.Dims("Alpha").empty(), "input Alpha is 0-D, expected at least one dimension");
  c.SetOutput("Out", c.Dims("Alpha"), c.Input("Alpha").dtype);
}

void RunDirichlet(KernelContext& c) {
  const Tensor& alpha = c.Input("Alpha");
  std::vector<double> values = Doubles(alpha);
  RequireRange(values, "Alpha", kTinyProbability, kMax);
  RandomEngine engine = MakeEngine(0);
  const auto cols = static_cast<size_t>(alpha.dims().back());
  for (size_t row = 0; row < values.size(); row += cols) {
    double* const p = values.data() + row;
    const auto largest = std::max_element(p, p + cols) - p;
    double sum = 0;
    for (size_t i = 0; i < cols; ++i) sum += p[i] = DrawGamma(engine, p[i]);
    if (sum == 0) sum = p[largest] = 1;  // all of them underflowed
    for (size_t i = 0; i < cols; ++i) p[i] /= sum;
  }
  StoreFloating(c.Output("Out"), values);
}

REGISTER_LITE_OP(dirichlet).Input("Alpha").Output("Out").InferShape(InferDirichlet).Random();
REGISTER_LITE_FUNCTION(dirichlet, kHost, kAny, kNCHW, RunDirichlet, def);

// -- binomial: successes of `count` trials with the probability `prob`.

void InferBinomial(InferContext& c) {
  RequireFloating(c, "prob");
  const TensorMeta& count = c.Input("count");
  if (count.dtype != DataType::kInt32 && count.dtype != DataType::kInt64)
    RequireFloating(c, "count");
  c.Require(count.dims == c.Dims("prob"), "input count has shape ", count.dims, " and prob ",
            c.Dims("prob"), ", expected equal shapes");
  c.SetOutput("out", count.dims, DataType::kInt64);
}

void RunBinomial(KernelContext& c) {
  constexpr double kMostTrials = 1e15;  // counts that double tells apart
  const std::vector<double> counts = Doubles(c.Input("count")), probs = Doubles(c.Input("prob"));
  RequireRange(counts, "count", 0, kMostTrials);
  RequireRange(probs, "prob", 0, 1);
  RandomEngine engine = MakeEngine(0);
  int64_t* to = c.Output("out").mutable_data<int64_t>();
  for (size_t i = 0; i < counts.size(); ++i) {
    const auto trials = static_cast<int64_t>(counts[i]);
    to[i] = std::binomial_distribution<int64_t>(trials, probs[i])(engine);
  }
}

REGISTER_LITE_OP(binomial)
    .Input("count")
    .Input("prob")
    .Output("out")
    .InferShape(InferBinomial)
    .Random();
REGISTER_LITE_FUNCTION(binomial, kHost, kAny, kNCHW, RunBinomial, def);

}  // namespace
}  // namespace paddle::lite
