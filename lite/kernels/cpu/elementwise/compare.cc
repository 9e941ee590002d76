#include "lite/kernels/cpu/creation/fill.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

// The functions that comparisons are made of: each is compiled once for a type, whatever uses it.
template <typename T>
bool Less(T x, T y) {
  return x < y;
}
template <typename T>
bool LessOrEqual(T x, T y) {
  return x <= y;
}
template <typename T>
bool Differ(T x, T y) {  // by more than 1e-8, as in Paddle
  return !AlmostEqual(x, y);
}

template <typename T, bool (*Function)(T, T)>
void Compare(int threads, const Broadcast& walk, const Tensor& x, const Tensor& y, Tensor& out) {
  RunLines(threads, walk, x.data<T>(), y.data<T>(), out.mutable_data<bool>(),
           [](T v, T w) { return Function(v, w); });
}

// `swap`: of Y and X.
#define LITE_COMPARISON(op, Function, swap)                              \
  void Run_##op(KernelContext& c) {                                      \
    const BinaryOperands o(c, c.Attr<int>("axis"), swap);                \
    const Tensor x = BoolsAsBytes(o.x), y = BoolsAsBytes(o.y);           \
    ForTypes<int8_t, uint8_t, int16_t, int32_t, int64_t, float, double>( \
        c, x.dtype(), [&](auto zero) {                                   \
          using T = decltype(zero);                                      \
          Compare<T, Function<T>>(c.threads(), o.walk, x, y, o.out);     \
        });                                                              \
  }                                                                      \
  REGISTER_LITE_FUNCTION(op, kHost, kAny, kNCHW, Run_##op, def);         \
  REGISTER_LITE_OP(op)                                                   \
      .Input("X")                                                        \
      .Input("Y")                                                        \
      .Output("Out")                                                     \
      .Attr<int>("axis", -1)                                             \
      .InferShape(InferBinaryBool)

LITE_COMPARISON(equal, AlmostEqual, false);
LITE_COMPARISON(not_equal, Differ, false);
LITE_COMPARISON(less_than, Less, false);
LITE_COMPARISON(less_equal, LessOrEqual, false);
LITE_COMPARISON(greater_than, Less, true);
LITE_COMPARISON(greater_equal, LessOrEqual, true);
#undef LITE_COMPARISON

void InferEqualAll(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& y = c.Input("Y");
  if (x.dtype != y.dtype)
    throw DataTypeError(StrCat("X is ", Name(x.dtype), ", but Y is ", Name(y.dtype)));
  c.SetOutput("Out", {}, DataType::kBool);
}

// Other shapes are not equal either.
void RunEqualAll(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Tensor& y = c.Input("Y");
  bool equal = x.dims() == y.dims();
  ForTypes<float, double, int32_t, int64_t, bool, uint8_t, int8_t, int16_t>(
      c, x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const T* a = x.data<T>();
        equal = equal && std::equal(a, a + x.numel(), y.data<T>(), AlmostEqual<T>);
      });
  *c.Output("Out").mutable_data<bool>() = equal;
}

REGISTER_LITE_OP(equal_all).Input("X").Input("Y").Output("Out").InferShape(InferEqualAll);
REGISTER_LITE_FUNCTION(equal_all, kHost, kAny, kNCHW, RunEqualAll, def);

// Whether numbers are equal within `atol` + `rtol` * |Other|: each (isclose) or all (allclose).
struct Tolerance {
  double relative, absolute;
  bool equal_nan;

  // Infinite numbers are close to each other where `relative` is not 0, as in Paddle.
  bool Close(double a, double b) const {
    if (std::isnan(a) || std::isnan(b)) return equal_nan && std::isnan(a) && std::isnan(b);
    if (a == b) return true;
    const double distance = std::abs(a - b), allowed = absolute + std::abs(relative * b);
    return distance <= allowed || std::abs(distance - allowed) <= 1e-15;
  }
};

void InferIsclose(InferContext& c, const DDim& out) {
  RequireType(
      c, "Input",
      {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64, DataType::kBool});
  RequireType(c, "Other", {c.Input("Input").dtype});
  for (const char* slot : {"Rtol", "Atol"}) {
    if (!c.HasInput(slot)) continue;
    RequireType(c, slot, {DataType::kFP64, DataType::kFP32});
    c.Require(c.Dims(slot).production() == 1, "input ", slot, " has shape ", c.Dims(slot),
              ", expected one element");
  }
  FillValue::Parse(c.Attr<std::string>("rtol"), "rtol");
  FillValue::Parse(c.Attr<std::string>("atol"), "atol");
  c.SetOutput("Out", out, DataType::kBool);
}

void InferIscloseEach(InferContext& c) {
  InferIsclose(c, BroadcastDims(c.Dims("Input"), c.Dims("Other"), -1));
}

void InferAll(InferContext& c) {
  BroadcastDims(c.Dims("Input"), c.Dims("Other"), -1);
  InferIsclose(c, {});
}

double NumberOf(const KernelContext& c, const char* slot, const char* attribute) {
  const FillValue value = c.HasInput(slot)
                              ? FillValue::From(c.Input(slot), slot)
                              : FillValue::Parse(c.Attr<std::string>(attribute), attribute);
  if (value.imag != 0) throw DataTypeError(StrCat("attribute ", attribute, " is a complex number"));
  return value.is_integer ? static_cast<double>(value.integer) : value.real;
}

Tolerance ToleranceOf(const KernelContext& c) {
  return {NumberOf(c, "Rtol", "rtol"), NumberOf(c, "Atol", "atol"), c.Attr<bool>("equal_nan")};
}

void RunEach(KernelContext& c) {
  const Tolerance tolerance = ToleranceOf(c);
  ForTypes<float, double, int32_t, int64_t, bool>(c, c.Input("Input").dtype(), [&](auto zero) {
    using T = decltype(zero);
    ApplyBroadcast<T, bool>(c, [=](T a, T b) {
      return tolerance.Close(static_cast<double>(a), static_cast<double>(b));
    });
  });
}

void RunAll(KernelContext& c) {
  const Tolerance tolerance = ToleranceOf(c);
  const DDim dims = BroadcastDims(c.Input("Input").dims(), c.Input("Other").dims(), -1);
  const Tensor a = Repeated(c.Input("Input"), dims, c.threads());
  const Tensor b = Repeated(c.Input("Other"), dims, c.threads());
  bool& out = *c.Output("Out").mutable_data<bool>();
  ForTypes<float, double, int32_t, int64_t, bool>(c, a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T *as = a.data<T>(), *bs = b.data<T>();
    out = std::equal(as, as + a.numel(), bs, [&](T x, T y) {
      return tolerance.Close(static_cast<double>(x), static_cast<double>(y));
    });
  });
}

REGISTER_LITE_OP(isclose)
    .Input("Input")
    .Input("Other")
    .OptionalInput("Rtol")
    .OptionalInput("Atol")
    .Output("Out")
    .Attr<std::string>("rtol", "1e-5")
    .Attr<std::string>("atol", "1e-8")
    .Attr<bool>("equal_nan", false)
    .InferShape(InferIscloseEach);
REGISTER_LITE_FUNCTION(isclose, kHost, kAny, kNCHW, RunEach, def);
REGISTER_LITE_OP(allclose)
    .Input("Input")
    .Input("Other")
    .OptionalInput("Rtol")
    .OptionalInput("Atol")
    .Output("Out")
    .Attr<std::string>("rtol", "1e-5")
    .Attr<std::string>("atol", "1e-8")
    .Attr<bool>("equal_nan", false)
    .InferShape(InferAll);
REGISTER_LITE_FUNCTION(allclose, kHost, kAny, kNCHW, RunAll, def);

}  // namespace
}  // namespace paddle::lite
