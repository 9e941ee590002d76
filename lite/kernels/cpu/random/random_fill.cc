#include <algorithm>
#include <cmath>

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/random/random.h"

namespace paddle::lite {
RandomEngine MakeEngine(int64_t seed) {
  if (seed != 0) return RandomEngine(static_cast<uint64_t>(seed));
  std::random_device device;
  std::seed_seq words{device(), device(), device(), device()};
  return RandomEngine(words);
}

DDim RandomShape(const InferContext& c) {
  const bool from_tensor = c.HasInput("ShapeTensor");
  const DDim dims(from_tensor ? c.IntValues("ShapeTensor")
                              : IntsOf<int64_t>(c, "ShapeTensorList", "", "shape"));
  for (const int64_t dim : dims) c.Require(dim >= 0, "shape ", dims, " has a negative dimension");
  return dims;
}

float FiniteAttr(const InferContext& c, const char* name) {
  const float value = c.Attr<float>(name);
  c.Require(std::isfinite(value), "attribute ", name, " is ", value, ", expected a finite number");
  return value;
}

DataType RandomType(const InferContext& c, std::initializer_list<DataType> types) {
  const DataType dtype = DataTypeFrom(c.Attr<int32_t>("dtype"), "dtype");
  if (std::find(types.begin(), types.end(), dtype) != types.end()) return dtype;
  std::string expected;
  for (const DataType type : types) expected += StrCat(expected.empty() ? "" : ", ", Name(type));
  throw DataTypeError(StrCat("attribute dtype is ", Name(dtype), ", expected one of ", expected));
}

std::vector<double> Doubles(const Tensor& tensor) {
  std::vector<double> values(static_cast<size_t>(tensor.numel()));
  const auto read = [&](const auto* from) {
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(from[i]);
  };
  switch (tensor.dtype()) {
    case DataType::kFP64:
      read(tensor.data<double>());
      break;
    case DataType::kInt32:
      read(tensor.data<int32_t>());
      break;
    case DataType::kInt64:
      read(tensor.data<int64_t>());
      break;
    default:
      read(tensor.data<float>());
  }
  return values;
}

void RequireRange(const std::vector<double>& values, const char* slot, double low, double high) {
  for (size_t i = 0; i < values.size(); ++i)
    if (!(values[i] >= low && values[i] <= high && std::isfinite(values[i])))
      throw LiteError(StrCat("input ", slot, " has ", values[i], " at element ", i,
                             ", expected a number in [", low, ", ", high, "]"));
}

namespace {

// Tensors of random numbers whose shape and distribution the attributes give.

// out[i] = draw(engine) for the output's floating-point type; `draw` takes T{} to know it.
template <typename Draw>
void FillFloating(KernelContext& c, Draw draw) {
  Tensor& out = c.Output("Out");
  RandomEngine engine = MakeEngine(c.Attr<int32_t>("seed"));
  ForTypes<float, double>(c, out.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* to = out.mutable_data<T>();
    draw(engine, to, to + out.numel());
  });
}

// -- uniform_random

// Unlike elsewhere an attribute that is whole counts more than ShapeTensor, as in Paddle.
DDim UniformShape(const InferContext& c) {
  const auto& shape = c.Attr<std::vector<int64_t>>("shape");
  const bool whole = !shape.empty() &&
                     std::all_of(shape.begin(), shape.end(), [](int64_t dim) { return dim >= 0; });
  return whole && !c.HasInput("ShapeTensorList") ? DDim(shape) : RandomShape(c);
}

void InferUniform(InferContext& c) {
  const float low = FiniteAttr(c, "min"), high = FiniteAttr(c, "max");
  c.Require(low <= high, "attribute min is ", low, " and max ", high, ", expected min <= max");
  const DDim dims = UniformShape(c);
  const int64_t count = c.Attr<int32_t>("diag_num"), step = c.Attr<int32_t>("diag_step");
  c.Require(
      count >= 0 && (count == 0 || (step >= 0 && (count - 1) * (step + 1) < dims.production())),
      "attributes diag_num ", count, " and diag_step ", step, " do not fit shape ", dims);
  c.SetOutput("Out", dims, RandomType(c, {DataType::kFP32, DataType::kFP64}));
}

void RunUniform(KernelContext& c) {
  const float low = c.Attr<float>("min"), high = c.Attr<float>("max");
  FillFloating(c, [&](RandomEngine& engine, auto* begin, auto* end) {
    using T = std::decay_t<decltype(*begin)>;
    std::generate(begin, end, [&] {
      return DrawUniform<T>(engine) * (static_cast<T>(high) - static_cast<T>(low)) +
             static_cast<T>(low);
    });
    const int64_t step = c.Attr<int32_t>("diag_step") + int64_t{1};
    for (int64_t i = 0; i < c.Attr<int32_t>("diag_num"); ++i)
      begin[i * step] = static_cast<T>(c.Attr<float>("diag_val"));
  });
}

REGISTER_LITE_OP(uniform_random)
    .OptionalInput("ShapeTensor")
    .OptionalInputs("ShapeTensorList")
    .Output("Out")
    .Attr<std::vector<int64_t>>("shape", {})
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kFP32))
    .Attr<float>("min", -1.0f)
    .Attr<float>("max", 1.0f)
    .Attr<int32_t>("seed", 0)
    .Attr<int32_t>("diag_num", 0)
    .Attr<int32_t>("diag_step", 0)
    .Attr<float>("diag_val", 1.0f)
    .InferShape(InferUniform)
    .Random();
REGISTER_LITE_FUNCTION(uniform_random, kHost, kAny, kNCHW, RunUniform, def);

// -- gaussian_random, and truncated_gaussian_random within [a, b] deviations

void InferGaussian(InferContext& c) {
  FiniteAttr(c, "mean");
  FiniteAttr(c, "std");
  c.SetOutput("Out", RandomShape(c), RandomType(c, {DataType::kFP32, DataType::kFP64}));
}

void RunGaussian(KernelContext& c) {
  FillFloating(c, [&](RandomEngine& engine, auto* begin, auto* end) {
    using T = std::decay_t<decltype(*begin)>;
    const T mean = static_cast<T>(c.Attr<float>("mean")),
            std = static_cast<T>(c.Attr<float>("std"));
    std::normal_distribution<T> normal(0, 1);
    std::generate(begin, end, [&] { return normal(engine) * std + mean; });
  });
}

REGISTER_LITE_OP(gaussian_random)
    .OptionalInput("ShapeTensor")
    .OptionalInputs("ShapeTensorList")
    .Output("Out")
    .Attr<std::vector<int64_t>>("shape", {})
    .Attr<float>("mean", 0.0f)
    .Attr<float>("std", 1.0f)
    .Attr<int32_t>("seed", 0)
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kFP32))
    .InferShape(InferGaussian)
    .Random();
REGISTER_LITE_FUNCTION(gaussian_random, kHost, kAny, kNCHW, RunGaussian, def);

double NormalCdf(double x) { return 0.5 * std::erfc(-x * 0.70710678118654752); }

// The x of a probability in (0, 1), by Newton's method: from 0 outwards the distribution is
// concave, so that the steps never pass the root.
double NormalQuantile(double p) {
  if (p > 0.5) return -NormalQuantile(1 - p);
  double x = 0;
  for (int i = 0; i < 100; ++i) {
    const double density = 0.39894228040143268 * std::exp(-0.5 * x * x);
    const double step = (NormalCdf(x) - p) / density;
    x -= step;
    if (!(std::abs(step) > 1e-12)) break;
  }
  return x;
}

void InferTruncated(InferContext& c) {
  FiniteAttr(c, "mean");
  FiniteAttr(c, "std");
  const float a = FiniteAttr(c, "a"), b = FiniteAttr(c, "b");
  c.Require(a < b, "attributes a and b are ", a, " and ", b, ", expected a < b");
  const auto& shape = c.Attr<std::vector<int64_t>>("shape");
  const DDim dims(shape);
  for (const int64_t dim : dims) c.Require(dim >= 0, "shape ", dims, " has a negative dimension");
  c.SetOutput("Out", dims, RandomType(c, {DataType::kFP32, DataType::kFP64}));
}

void RunTruncated(KernelContext& c) {
  const double a = c.Attr<float>("a"), b = c.Attr<float>("b");
  FillFloating(c, [&](RandomEngine& engine, auto* begin, auto* end) {
    using T = std::decay_t<decltype(*begin)>;
    const double low = NormalCdf(a), range = NormalCdf(b) - low;
    std::generate(begin, end, [&] {
      const double x = NormalQuantile(low + range * static_cast<double>(DrawUniform<T>(engine)));
      return static_cast<T>(std::clamp(x, a, b) * c.Attr<float>("std") + c.Attr<float>("mean"));
    });
  });
}

REGISTER_LITE_OP(truncated_gaussian_random)
    .Output("Out")
    .Attr<std::vector<int64_t>>("shape", {})
    .Attr<float>("mean", 0.0f)
    .Attr<float>("std", 1.0f)
    .Attr<float>("a", -2.0f)
    .Attr<float>("b", 2.0f)
    .Attr<int32_t>("seed", 0)
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kFP32))
    .InferShape(InferTruncated)
    .Random();
REGISTER_LITE_FUNCTION(truncated_gaussian_random, kHost, kAny, kNCHW, RunTruncated, def);

// -- randint and randperm

void InferRandint(InferContext& c) {
  const int32_t low = c.Attr<int32_t>("low"), high = c.Attr<int32_t>("high");
  c.Require(low < high, "attribute low is ", low, " and high ", high, ", expected low < high");
  c.SetOutput("Out", RandomShape(c), RandomType(c, {DataType::kInt32, DataType::kInt64}));
}

void RunRandint(KernelContext& c) {
  Tensor& out = c.Output("Out");
  RandomEngine engine = MakeEngine(c.Attr<int32_t>("seed"));
  std::uniform_int_distribution<int64_t> draw(c.Attr<int32_t>("low"),
                                              c.Attr<int32_t>("high") - int64_t{1});
  ForTypes<int32_t, int64_t>(c, out.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* to = out.mutable_data<T>();
    std::generate(to, to + out.numel(), [&] { return static_cast<T>(draw(engine)); });
  });
}

REGISTER_LITE_OP(randint)
    .OptionalInput("ShapeTensor")
    .OptionalInputs("ShapeTensorList")
    .Output("Out")
    .Attr<std::vector<int64_t>>("shape", {})
    .RequiredAttr<int32_t>("low")
    .RequiredAttr<int32_t>("high")
    .Attr<int32_t>("seed", 0)
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kInt64))
    .InferShape(InferRandint)
    .Random();
REGISTER_LITE_FUNCTION(randint, kHost, kAny, kNCHW, RunRandint, def);

void InferRandperm(InferContext& c) {
  const int32_t n = c.Attr<int32_t>("n");
  c.Require(n >= 0, "attribute n is ", n, ", expected a number that is not negative");
  c.SetOutput(
      "Out", DDim{n},
      RandomType(c, {DataType::kInt32, DataType::kInt64, DataType::kFP32, DataType::kFP64}));
}

void RunRandperm(KernelContext& c) {
  Tensor& out = c.Output("Out");
  RandomEngine engine = MakeEngine(0);
  ForTypes<int32_t, int64_t, float, double>(c, out.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* to = out.mutable_data<T>();
    for (int64_t i = 0; i < out.numel(); ++i) to[i] = static_cast<T>(i);
    std::shuffle(to, to + out.numel(), engine);
  });
}

REGISTER_LITE_OP(randperm)
    .Output("Out")
    .RequiredAttr<int32_t>("n")
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kInt64))
    .InferShape(InferRandperm)
    .Random();
REGISTER_LITE_FUNCTION(randperm, kHost, kAny, kNCHW, RunRandperm, def);

}  // namespace
}  // namespace paddle::lite
