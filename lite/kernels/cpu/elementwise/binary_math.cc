#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

// Functions of two numbers, with broadcasting: atan2, copysign, nextafter, elementwise_heaviside,
// elementwise_fmax, elementwise_fmin, trunc_divide.
const std::vector<DataType> kFloats = {DataType::kFP32, DataType::kFP64};
const std::vector<DataType> kNumbers = {DataType::kFP32, DataType::kFP64, DataType::kInt32,
                                        DataType::kInt64};

// 0 for negative x, 1 for positive, y at 0; 0 for NaN, as in Paddle.
template <typename T>
T Heaviside(T x, T y) {
  return x == T(0) ? y : static_cast<T>(x > T(0));
}

// The other number where one is NaN.
template <typename T>
T LargerNumber(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) return std::fmax(x, y);
  return std::max(x, y);
}

template <typename T>
T SmallerNumber(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) return std::fmin(x, y);
  return std::min(x, y);
}

// Rounds towards zero.
template <typename T>
T TruncQuotient(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::trunc(x / y);
  } else {
    if (y == 0) ThrowDivisionByZero("trunc_divide");
    if (y == T(-1)) return WrapSub(T(0), x);
    return DivideIntegers(x, y).first;
  }
}

// x with y's sign; unsigned integers and bool have none to give or to change.
template <typename T>
T CopySign(T x, T y) {
  if constexpr (std::is_floating_point_v<T>)
    return std::copysign(x, y);
  else if constexpr (std::is_signed_v<T>)
    return (x < 0) == (y < 0) ? x : WrapSub(T(0), x);
  else
    return x;
}

// Integers give fp64.
void InferAtan2(InferContext& c) {
  RequireType(c, "X1", kNumbers);
  RequireType(c, "X2", {c.Input("X1").dtype});
  const DataType from = c.Input("X1").dtype;
  c.SetOutput("Out", BroadcastDims(c.Dims("X1"), c.Dims("X2"), -1),
              from == DataType::kFP32 ? from : DataType::kFP64, c.Input("X1").lod);
}

void RunAtan2(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("X1").dtype(), [&](auto zero) {
    using T = decltype(zero);
    using R = std::conditional_t<std::is_integral_v<T>, double, T>;
    ApplyBroadcast<T, R>(c,
                         [](T x, T y) { return std::atan2(static_cast<R>(x), static_cast<R>(y)); });
  });
}

void RunNextafter(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("x").dtype(), [&](auto zero) {
    using T = decltype(zero);
    ApplyBroadcast<T, T>(c, [](T x, T y) { return std::nextafter(x, y); });
  });
}

void RunCopysign(KernelContext& c) {
  ForTypes<float, double, int64_t, int32_t, int16_t, int8_t, uint8_t, bool>(
      c, c.Input("x").dtype(), [&](auto zero) {
        using T = decltype(zero);
        ApplyBroadcast<T, T>(c, CopySign<T>);
      });
}

#define LITE_BINARY_FUNCTION(op, x_slot, y_slot, out_slot, Function)                       \
  void Run_##op(KernelContext& c) {                                                        \
    ForTypes<float, double, int32_t, int64_t>(c, c.Input(x_slot).dtype(), [&](auto zero) { \
      using T = decltype(zero);                                                            \
      ApplyBroadcast<T, T>(c, Function<T>);                                                \
    });                                                                                    \
  }                                                                                        \
  REGISTER_LITE_OP(op).Input(x_slot).Input(y_slot).Output(out_slot).InferShape(            \
      InferBinaryOf(kNumbers));                                                            \
  REGISTER_LITE_FUNCTION(op, kHost, kAny, kNCHW, Run_##op, def)

LITE_BINARY_FUNCTION(elementwise_heaviside, "X", "Y", "Out", Heaviside);
LITE_BINARY_FUNCTION(elementwise_fmax, "X", "Y", "Out", LargerNumber);
LITE_BINARY_FUNCTION(elementwise_fmin, "X", "Y", "Out", SmallerNumber);
LITE_BINARY_FUNCTION(trunc_divide, "x", "y", "out", TruncQuotient);
#undef LITE_BINARY_FUNCTION

REGISTER_LITE_OP(atan2).Input("X1").Input("X2").Output("Out").InferShape(InferAtan2);
REGISTER_LITE_FUNCTION(atan2, kHost, kAny, kNCHW, RunAtan2, def);
REGISTER_LITE_OP(nextafter).Input("x").Input("y").Output("out").InferShape(InferBinaryOf(kFloats));
REGISTER_LITE_FUNCTION(nextafter, kHost, kAny, kNCHW, RunNextafter, def);
REGISTER_LITE_OP(copysign).Input("x").Input("y").Output("out").InferShape(
    InferBinaryOf({DataType::kFP32, DataType::kFP64, DataType::kInt64, DataType::kInt32,
                   DataType::kInt16, DataType::kInt8, DataType::kUInt8, DataType::kBool}));
REGISTER_LITE_FUNCTION(copysign, kHost, kAny, kNCHW, RunCopysign, def);

// Out = X + Weight * (Y - X); Weight has one element or broadcasts.
void InferLerp(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireType(c, "X", {DataType::kFP32, DataType::kFP64});
  RequireType(c, "Y", {x.dtype});
  RequireType(c, "Weight", {x.dtype});
  c.SetOutput("Out", BroadcastDims(BroadcastDims(x.dims, c.Dims("Y"), -1), c.Dims("Weight"), -1),
              x.dtype, x.lod);
}

void RunLerp(KernelContext& c) {
  Tensor& out = c.Output("Out");
  const Tensor x = Repeated(c.Input("X"), out.dims(), c.threads());
  const Tensor y = Repeated(c.Input("Y"), out.dims(), c.threads());
  const Tensor& weight = c.Input("Weight");
  const bool one = weight.numel() == 1;
  const Tensor weights = one ? weight : Repeated(weight, out.dims(), c.threads());
  ForTypes<float, double>(c, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T *xs = x.data<T>(), *ys = y.data<T>(), *ws = weights.data<T>();
    T* to = out.mutable_data<T>();
    math::ParallelRange(c.threads(), out.numel(), math::kElementGrain,
                        [&](int64_t begin, int64_t end) {
                          for (int64_t i = begin; i < end; ++i)
                            to[i] = xs[i] + ws[one ? 0 : i] * (ys[i] - xs[i]);
                        });
  });
}

REGISTER_LITE_OP(lerp).Input("X").Input("Y").Input("Weight").Output("Out").InferShape(InferLerp);
REGISTER_LITE_FUNCTION(lerp, kHost, kAny, kNCHW, RunLerp, def);

}  // namespace
}  // namespace paddle::lite
