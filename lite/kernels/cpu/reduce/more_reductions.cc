#include "lite/kernels/cpu/reduce/reduce.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

// log(sum(exp(x))) over the dims `axis`, without overflow.
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

// Sums over the dims `axis`, in which NaN counts nothing. int32 and bool give int64 unless `dtype`
// names a type.
DataType OutputType(const InferContext& c) {
  const int number = c.Attr<int>("dtype");
  const DataType from = c.Input("x").dtype;
  if (number < 0)
    return from == DataType::kBool || from == DataType::kInt32 ? DataType::kInt64 : from;
  const DataType to = DataTypeFrom(number, "dtype");
  if (to != DataType::kFP32 && to != DataType::kFP64 && to != DataType::kInt32 &&
      to != DataType::kInt64)
    throw DataTypeError(
        StrCat("attribute dtype is ", Name(to), ", expected float32, float64, int32 or int64"));
  return to;
}

void InferNansum(InferContext& c) {
  InferReduce(
      c, {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64, DataType::kBool},
      OutputType(c));
}

template <typename From, typename To>
To Sum(const From* x, int64_t count, int64_t step) {
  using Wide = std::conditional_t<std::is_floating_point_v<To>, double, To>;
  Wide sum(0);
  for (int64_t a = 0; a < count; ++a) {
    const From v = x[a * step];
    if (v == v) sum = WrapAdd(sum, NumberCast<Wide>(v));
  }
  return static_cast<To>(sum);
}

void RunNansum(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t, bool>(c, c.Input("x").dtype(), [&](auto source) {
    ForTypes<float, double, int32_t, int64_t>(c, c.Output("out").dtype(), [&](auto target) {
      using From = decltype(source);
      using To = decltype(target);
      ReduceLines<From, To>(c, Sum<From, To>);
    });
  });
}

REGISTER_LITE_OP(nansum)
    .Input("x")
    .Output("out")
    .Attr<std::vector<int>>("axis", {})
    .Attr<int>("dtype", -1)
    .Attr<bool>("keepdim", false)
    .InferShape(InferNansum);
REGISTER_LITE_FUNCTION(nansum, kHost, kAny, kNCHW, RunNansum, def);

// x summed over the dims along which `target` would be repeated to have x's shape. int32 and bool
// give int64.

// Throws ShapeError where `target` does not broadcast to x.
std::vector<bool> DimsToSum(const DDim& x, const DDim& target) {
  const int added = x.size() - target.size();
  std::vector<bool> reduced(static_cast<size_t>(x.size()), false);
  bool fits = added >= 0;
  for (int i = 0; fits && i < x.size(); ++i) {
    const int64_t dim = i < added ? 1 : target[i - added];
    reduced[static_cast<size_t>(i)] = i < added || (dim == 1 && x[i] != 1);
    fits = dim == 1 || dim == x[i];
  }
  if (!fits)
    throw ShapeError(StrCat("target of shape ", target, " does not broadcast to x of shape ", x));
  return reduced;
}

void InferReduceAs(InferContext& c) {
  RequireType(c, "x",
              {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64,
               DataType::kInt16, DataType::kInt8, DataType::kUInt8, DataType::kBool});
  DimsToSum(c.Dims("x"), c.Dims("target"));
  const DataType from = c.Input("x").dtype;
  const bool widens = from == DataType::kInt32 || from == DataType::kBool;
  c.SetOutput("out", c.Dims("target"), widens ? DataType::kInt64 : from);
}

template <typename T>
void RunReduceAsAs(KernelContext& c) {
  using R = std::conditional_t<std::is_same_v<T, int32_t> || std::is_same_v<T, bool>, int64_t, T>;
  using Wide = std::conditional_t<std::is_floating_point_v<T>, double, R>;
  const Tensor& x = c.Input("x");
  const ReduceView view =
      MakeReduceView(x, DimsToSum(x.dims(), c.Input("target").dims()), c.threads());
  const T* from = static_cast<const T*>(view.data);
  R* to = c.Output("out").mutable_data<R>();
  for (int64_t i = 0; i < view.outer * view.inner; ++i) {
    const T* at = from + i / view.inner * view.axis * view.inner + i % view.inner;
    Wide sum(0);
    for (int64_t a = 0; a < view.axis; ++a)
      sum = WrapAdd(sum, static_cast<Wide>(at[a * view.inner]));
    to[i] = static_cast<R>(sum);
  }
}

void RunReduceAs(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t, int16_t, int8_t, uint8_t, bool>(
      c, c.Input("x").dtype(), [&](auto zero) { RunReduceAsAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(reduce_as).Input("x").Input("target").Output("out").InferShape(InferReduceAs);
REGISTER_LITE_FUNCTION(reduce_as, kHost, kAny, kNCHW, RunReduceAs, def);

// The variance (var) or its square root (std) over the dims `axis`: the sum of squared deviations
// by the count less `correction`; 0 where that is negative, as in Paddle.
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
