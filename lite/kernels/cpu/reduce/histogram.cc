#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

// How many numbers of X lie in each of `bins` equal parts of [`min`, `max`]; where these are equal,
// of the range of X. NaN and what lies outside are not counted.
void InferHistogram(InferContext& c) {
  RequireType(c, "X", {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64});
  const int64_t bins = c.Attr<int64_t>("bins");
  c.Require(bins >= 1 && bins <= std::numeric_limits<int32_t>::max(), "attribute bins is ", bins,
            ", expected 1 to ", std::numeric_limits<int32_t>::max());
  const float low = c.Attr<float>("min"), high = c.Attr<float>("max");
  c.Require(std::isfinite(low) && std::isfinite(high) && low <= high, "attributes min and max are ",
            low, " and ", high, ", expected a finite range");
  c.SetOutput("Out", {bins}, DataType::kInt64);
}

// In the precision of X's type, as in Paddle; integers in that of double.
template <typename T>
void RunHistogramAs(KernelContext& c) {
  using Real = std::conditional_t<std::is_same_v<T, float>, float, double>;
  const Tensor& tensor = c.Input("X");
  const T *x = tensor.data<T>(), *end = x + tensor.numel();
  const int64_t bins = c.Attr<int64_t>("bins");
  auto* counts = c.Output("Out").mutable_data<int64_t>();
  std::fill(counts, counts + bins, 0);
  Real low = static_cast<Real>(NumberCast<T>(c.Attr<float>("min")));
  Real high = static_cast<Real>(NumberCast<T>(c.Attr<float>("max")));
  if (low == high) {
    low = std::numeric_limits<Real>::infinity();
    high = -low;
    for (const T* v = x; v != end; ++v) {  // NaN compares with nothing
      if (static_cast<Real>(*v) < low) low = static_cast<Real>(*v);
      if (static_cast<Real>(*v) > high) high = static_cast<Real>(*v);
    }
    if (low > high) return;
  }
  if (low == high) {
    low -= 1;
    high += 1;
  }
  const Real range = high - low;
  if (!std::isfinite(range))
    throw LiteError(StrCat("X has values from ", low, " to ", high,
                           ", expected a finite range; set the attributes min and max"));
  for (const T* v = x; v != end; ++v) {
    const Real value = static_cast<Real>(*v);
    if (!(value >= low && value <= high)) continue;
    const Real bin = (value - low) * static_cast<Real>(bins) / range;
    ++counts[bin < static_cast<Real>(bins) ? static_cast<int64_t>(bin) : bins - 1];
  }
}

void RunHistogram(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("X").dtype(),
                                            [&](auto zero) { RunHistogramAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(histogram)
    .Input("X")
    .Output("Out")
    .Attr<int64_t>("bins", 100)
    .Attr<float>("min", 0.0f)
    .Attr<float>("max", 0.0f)
    .InferShape(InferHistogram);
REGISTER_LITE_FUNCTION(histogram, kHost, kAny, kNCHW, RunHistogram, def);

// How often each number from 0 to the largest of X stands there, or the sum of the Weights at its
// places.
constexpr int64_t kMostBins = std::numeric_limits<int32_t>::max();

void InferBincount(InferContext& c) {
  RequireType(c, "X", {DataType::kInt32, DataType::kInt64});
  c.Require(c.Dims("X").size() == 1, "X has shape ", c.Dims("X"), ", expected one dimension");
  c.Require(c.Attr<int>("minlength") >= 0, "attribute minlength is ", c.Attr<int>("minlength"),
            ", expected at least 0");
  if (!c.HasInput("Weights")) return;
  RequireType(c, "Weights", {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64});
  c.Require(c.Dims("Weights") == c.Dims("X"), "Weights has shape ", c.Dims("Weights"),
            ", expected X's, ", c.Dims("X"));
}

// out[value] += weight(i) for each value i of X.
template <typename R, typename Weight>
void Count(KernelContext& c, DataType dtype, Weight weight) {
  const std::vector<int64_t> values = IntValues(c, "X");
  int64_t size = c.Attr<int>("minlength");
  for (const int64_t value : values) {
    if (value < 0 || value >= kMostBins)
      throw LiteError(StrCat("X has the value ", value, ", expected 0 to ", kMostBins - 1));
    size = std::max(size, value + 1);
  }
  Tensor& out = c.Output("Out");
  out.Allocate({size}, dtype);
  R* to = out.mutable_data<R>();
  std::fill(to, to + size, R(0));
  for (size_t i = 0; i < values.size(); ++i) to[values[i]] += weight(i);
}

// fp32 weights give fp32 sums, others fp64.
void RunBincount(KernelContext& c) {
  const Tensor* weights = c.InputOrNull("Weights");
  if (weights == nullptr)
    return Count<int64_t>(c, DataType::kInt64, [](size_t) { return int64_t(1); });
  ForTypes<float, double, int32_t, int64_t>(c, weights->dtype(), [&](auto zero) {
    using T = decltype(zero);
    using R = std::conditional_t<std::is_same_v<T, float>, float, double>;
    const T* from = weights->data<T>();
    Count<R>(c, DataTypeOf<R>::value, [=](size_t i) { return static_cast<R>(from[i]); });
  });
}

REGISTER_LITE_OP(bincount)
    .Input("X")
    .OptionalInput("Weights")
    .Output("Out")
    .Attr<int>("minlength", 0)
    .InferShape(InferBincount)
    .DataDependent();
REGISTER_LITE_FUNCTION(bincount, kHost, kAny, kNCHW, RunBincount, def);

}  // namespace
}  // namespace paddle::lite
