#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/elementwise/convert.h"
#include "lite/kernels/cpu/math/reduce.h"
#include "lite/kernels/cpu/reduce/reduce.h"
#include "lite/kernels/cpu/spectral/complex.h"

namespace paddle::lite {
namespace {

#define LITE_REDUCTION(op, infer)         \
  REGISTER_LITE_OP(op)                    \
      .Input("X")                         \
      .OptionalInput("AxisTensor")        \
      .Output("Out")                      \
      .Attr<std::vector<int>>("dim", {0}) \
      .Attr<bool>("keep_dim", false)      \
      .Attr<bool>("reduce_all", false)    \
      .InferShape(infer)

// int32 and bool are summed to int64 unless `out_dtype` names a type, as in Paddle.
DataType ReduceSumType(const OpLite& op, DataType from) {
  const int number = op.Attr<int>("out_dtype");
  if (number >= 0) {
    if (!IsDataType(number))
      throw DataTypeError(
          StrCat("attribute out_dtype is ", number, ", which is no supported type"));
    return static_cast<DataType>(number);
  }
  return from == DataType::kBool || from == DataType::kInt32 ? DataType::kInt64 : from;
}

void InferReduceSum(InferContext& c) {
  const DataType from = c.Input("X").dtype, out = ReduceSumType(c.op(), from);
  if ((IsComplex(from) || IsComplex(out)) && from != out)
    throw DataTypeError(StrCat("X is ", Name(from), " and attribute out_dtype ", Name(out),
                               ", expected one type where numbers are complex; cast X first"));
  if (out == DataType::kBool || out == DataType::kFP16)
    throw DataTypeError(StrCat("attribute out_dtype is ", Name(out), ", which cannot be summed"));
  InferReduce(c,
              {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64,
               DataType::kInt16, DataType::kInt8, DataType::kUInt8, DataType::kBool,
               DataType::kComplex64, DataType::kComplex128},
              out, true);
}

void SumComplex(KernelContext& c, DataType dtype) {
  ForParts(dtype, [&](auto zero) {
    using C = std::complex<decltype(zero)>;
    ReduceWith<C, C>(
        c, C(), [](C sum, C x) { return sum + x; }, [](C sum, int64_t) { return sum; });
  });
}

template <typename From, typename To>
void Sum(KernelContext& c) {
  ReduceWith<From, To>(
      c, To(0), [](To sum, From x) { return WrapAdd(sum, NumberCast<To>(x)); },
      [](To sum, int64_t) { return sum; });
}

void RunReduceSum(KernelContext& c) {
  const DataType from = c.Input("X").dtype(), to = ReduceSumType(c.op(), from);
  if (from == DataType::kFP32 && to == DataType::kFP32)
    return RunReduceFloat(c, math::Reduction::kSum);
  if (IsComplex(from)) return SumComplex(c, from);
  ForTypes<float, double, int32_t, int64_t, int16_t, int8_t, uint8_t, bool>(
      c, from, [&](auto source) {
        ForTypes<float, double, int32_t, int64_t, int16_t, int8_t, uint8_t>(
            c, to, [&](auto target) { Sum<decltype(source), decltype(target)>(c); });
      });
}

void RunReduceSumNhwc(KernelContext& c) {
  c.Output("Out").set_layout(c.Input("X").layout());
  RunReduceSum(c);
}

LITE_REDUCTION(reduce_sum, InferReduceSum).Attr<int>("out_dtype", -1);
REGISTER_LITE_FUNCTION(reduce_sum, kHost, kAny, kNCHW, RunReduceSum, def);
REGISTER_LITE_FUNCTION(reduce_sum, kHost, kFloat, kNHWC, RunReduceSumNhwc, def);

// Integers are divided towards zero and bool is true where any element is, as in Paddle.
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

LITE_REDUCTION(reduce_mean, InferReduceMean);
REGISTER_LITE_FUNCTION(reduce_mean, kHost, kAny, kNCHW, RunReduceMean, def);
REGISTER_LITE_FUNCTION(reduce_mean, kHost, kFloat, kNHWC, RunReduceMean, def);

void InferReduceNumbers(InferContext& c) {
  InferReduce(c, {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64},
              c.Input("X").dtype);
}

void InferReduceProduct(InferContext& c) {
  InferReduce(c, {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64},
              c.Input("X").dtype, true);
}

// Infinite where T can be.
template <typename T, typename Limits = std::numeric_limits<T>>
constexpr T kLowest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
template <typename T, typename Limits = std::numeric_limits<T>>
constexpr T kHighest = Limits::has_infinity ? Limits::infinity() : Limits::max();

#define LITE_FOLD(op, infer, reduction, start, expression)                                        \
  void Run_##op(KernelContext& c) {                                                               \
    const DataType dtype = c.Input("X").dtype();                                                  \
    if (dtype == DataType::kFP32) return RunReduceFloat(c, math::Reduction::reduction);           \
    ForTypes<double, int32_t, int64_t>(c, dtype, [&](auto zero) {                                 \
      using T = decltype(zero);                                                                   \
      ReduceWith<T, T>(                                                                           \
          c, start, [](T a, T b) { return expression; }, [](T value, int64_t) { return value; }); \
    });                                                                                           \
  }                                                                                               \
  LITE_REDUCTION(op, infer);                                                                      \
  REGISTER_LITE_FUNCTION(op, kHost, kAny, kNCHW, Run_##op, def);                                  \
  REGISTER_LITE_FUNCTION(op, kHost, kFloat, kNHWC, Run_##op, def)

LITE_FOLD(reduce_max, InferReduceNumbers, kMax, kLowest<T>, Larger(a, b));
LITE_FOLD(reduce_min, InferReduceNumbers, kMin, kHighest<T>, Smaller(a, b));
// Others only in their gradients.
LITE_FOLD(reduce_amax, InferReduceNumbers, kMax, kLowest<T>, Larger(a, b));
LITE_FOLD(reduce_amin, InferReduceNumbers, kMin, kHighest<T>, Smaller(a, b));
LITE_FOLD(reduce_prod, InferReduceProduct, kProd, T(1), WrapMul(a, b));
#undef LITE_FOLD

void InferReduceTruth(InferContext& c) {
  InferReduce(
      c, {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64, DataType::kBool},
      DataType::kBool);
}

#define LITE_TRUTH(op, start, expression)                                                     \
  void Run_##op(KernelContext& c) {                                                           \
    ForTypes<bool, float, double, int32_t, int64_t>(c, c.Input("X").dtype(), [&](auto zero) { \
      using T = decltype(zero);                                                               \
      ReduceWith<T, bool>(                                                                    \
          c, start, [](bool a, T b) { return expression; },                                   \
          [](bool value, int64_t) { return value; });                                         \
    });                                                                                       \
  }                                                                                           \
  LITE_REDUCTION(op, InferReduceTruth);                                                       \
  REGISTER_LITE_FUNCTION(op, kHost, kAny, kNCHW, Run_##op, def)

LITE_TRUTH(reduce_all, true, (a && b != T(0)));
LITE_TRUTH(reduce_any, false, (a || b != T(0)));
#undef LITE_TRUTH
#undef LITE_REDUCTION

// The mean of all elements, a tensor of rank 0.
void InferMean(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("X is ", Name(x.dtype), ", expected float32 or float64"));
  c.Require(x.dims.production() > 0, "X of shape ", x.dims, " has no elements to average");
  c.SetOutput("Out", {}, x.dtype);
}

void RunMean(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  if (x.dtype() == DataType::kFP32)
    return math::Reduce(math::Reduction::kMean, 1, x.numel(), 1, x.data<float>(),
                        out.mutable_data<float>(), c.threads());
  const auto* data = x.data<double>();
  double sum = 0;
  for (int64_t i = 0; i < x.numel(); ++i) sum += data[i];
  out.mutable_data<double>()[0] = sum / static_cast<double>(x.numel());
}

REGISTER_LITE_OP(mean).Input("X").Output("Out").InferShape(InferMean);
REGISTER_LITE_FUNCTION(mean, kHost, kAny, kNCHW, RunMean, def);

}  // namespace
}  // namespace paddle::lite
