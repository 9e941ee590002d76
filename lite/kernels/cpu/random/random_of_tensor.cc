#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "lite/kernels/cpu/activation/activation.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/normalisation/normalize.h"
#include "lite/kernels/cpu/random/random.h"

namespace paddle::lite {
namespace {

// One random number for each element of an input that holds the distributions' parameters.
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

// Out: indexes drawn with the relative probabilities in each row of X, with or without replacement.
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

// At inference whatever `is_test` says: nothing is dropped. `downgrade_in_infer`, also the meaning
// of a missing attribute, scales by 1 - dropout_prob instead.
double Factor(const OpLite& op) {
  if (op.Attr<std::string>("dropout_implementation") == "upscale_in_train") return 1.0;
  return 1.0 - static_cast<double>(op.Attr<float>("dropout_prob"));
}

math::Activation DropoutAsActivation(const OpLite& op) {
  return {math::Act::kAffine, static_cast<float>(Factor(op)), 0.0f};
}

void InferDropout(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("X is ", Name(x.dtype), ", expected float32 or float64"));
  const float probability = c.Attr<float>("dropout_prob");
  c.Require(probability >= 0.0f && probability <= 1.0f, "attribute dropout_prob is ", probability,
            ", expected a value in [0, 1]");
  const std::string& how = c.Attr<std::string>("dropout_implementation");
  if (how != "downgrade_in_infer" && how != "upscale_in_train")
    throw LiteError(StrCat("attribute dropout_implementation is '", how,
                           "', expected downgrade_in_infer or upscale_in_train"));
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
  c.SetOutput("Mask", x.dims, DataType::kUInt8);
}

void RunDropout(KernelContext& c) {
  RunActivation(c, DropoutAsActivation(c.op()));
  if (Tensor* mask = c.OutputOrNull("Mask")) {
    auto* data = mask->mutable_data<uint8_t>();
    if (mask->numel() > 0) std::memset(data, 1, static_cast<size_t>(mask->numel()));
  }
}

REGISTER_LITE_OP(dropout)
    .Input("X")
    .OptionalInput("Seed")
    .Output("Out")
    .OptionalOutput("Mask")
    .Attr<float>("dropout_prob", 0.5f)
    .Attr<std::string>("dropout_implementation", "downgrade_in_infer")
    .InferShape(InferDropout)
    .AsActivation(DropoutAsActivation);
REGISTER_LITE_FUNCTION(dropout, kHost, kAny, kAny, RunDropout, def);

// y + x, of which test mode drops nothing; by mode downscale_in_infer x counts 1 - p.
void InferFusedDropoutAdd(InferContext& c) {
  RequireFloating(c, "x");
  const TensorMeta &x = c.Input("x"), &y = c.Input("y");
  c.Require(y.dims == x.dims, "input y has shape ", y.dims, ", expected ", x.dims, " like x");
  RequireType(c, "y", {x.dtype});
  const float p = c.Attr<float>("p");
  c.Require(p >= 0 && p <= 1, "attribute p is ", p, ", expected a number in [0, 1]");
  c.Require(p == 0 || c.Attr<bool>("is_test"), "attribute p is ", p, " and is_test is false, ",
            "expected no dropping: export the model in eval mode");
  const auto& mode = c.Attr<std::string>("mode");
  if (mode != "upscale_in_train" && mode != "downscale_in_infer")
    throw LiteError(StrCat("attribute mode is \"", mode,
                           "\", expected upscale_in_train or downscale_in_infer"));
  c.SetOutput("out", x.dims, x.dtype, x.lod);
  c.SetOutput("seed_offset", DDim{0}, DataType::kInt64);
}

void RunFusedDropoutAdd(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("x").dtype(), [&](auto zero) {
    using T = decltype(zero);
    const bool scaled = c.Attr<std::string>("mode") == "downscale_in_infer";
    const T factor = scaled ? 1 - static_cast<T>(c.Attr<float>("p")) : 1;
    ApplyBroadcast<T, T>(c, [factor](T x, T y) { return x * factor + y; });
  });
}

REGISTER_LITE_OP(fused_dropout_add)
    .Input("x")
    .Input("y")
    .OptionalInput("seed_tensor")
    .Output("out")
    .OptionalOutput("seed_offset")
    .Attr<float>("p", 0.5f)
    .Attr<bool>("is_test", false)
    .Attr<std::string>("mode", "upscale_in_train")
    .InferShape(InferFusedDropoutAdd);
REGISTER_LITE_FUNCTION(fused_dropout_add, kHost, kAny, kNCHW, RunFusedDropoutAdd, def);

}  // namespace
}  // namespace paddle::lite
