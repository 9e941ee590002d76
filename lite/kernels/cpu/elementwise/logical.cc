// Logical operators on numbers of any type, bitwise ones and shifts on integers.
#include "lite/kernels/cpu/elementwise/convert.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"

namespace paddle::lite {
namespace {

// Bytes that are 0 where the elements are.
Tensor TruthOf(const Tensor& x, int threads) {
  Tensor truth = x;
  if (SizeOf(x.dtype()) != 1) {
    truth = Tensor();
    truth.Resize(x.dims());
    if (x.numel() > 0) ConvertElements(x, &truth, DataType::kBool, threads);
  }
  truth.set_dtype(DataType::kUInt8);
  return truth;
}

// Logical operators take these types.
void RequireNumbers(const KernelContext& c, DataType dtype) {
  ForTypes<bool, int8_t, uint8_t, int16_t, int32_t, int64_t, float, double>(c, dtype, [](auto) {});
}

// fn(whether x is not 0, whether y is not 0), without branches.
template <typename Fn>
void RunLogical(KernelContext& c, Fn fn) {
  const BinaryOperands o(c, -1);
  RequireNumbers(c, o.x.dtype());
  const Tensor x = TruthOf(o.x, c.threads()), y = TruthOf(o.y, c.threads());
  auto* const out = static_cast<uint8_t*>(o.out.MutableRaw(DataType::kBool));
  RunLines(c.threads(), o.walk, x.data<uint8_t>(), y.data<uint8_t>(), out,
           [fn](uint8_t v, uint8_t w) { return static_cast<uint8_t>(fn(v != 0, w != 0)); });
}

#define LITE_LOGICAL(op, expression)                             \
  void Run_##op(KernelContext& c) {                              \
    RunLogical(c, [](bool x, bool y) { return expression; });    \
  }                                                              \
  REGISTER_LITE_FUNCTION(op, kHost, kAny, kNCHW, Run_##op, def); \
  REGISTER_LITE_OP(op).Input("X").Input("Y").Output("Out").InferShape(InferBinaryBool)

LITE_LOGICAL(logical_and, (x & y));
LITE_LOGICAL(logical_or, (x | y));
LITE_LOGICAL(logical_xor, (x != y));
#undef LITE_LOGICAL

void InferLogicalNot(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.SetOutput("Out", x.dims, DataType::kBool, x.lod);
}

void Negate(int64_t count, const uint8_t* x, uint8_t* y) {
  for (int64_t i = 0; i < count; ++i) y[i] = x[i] == 0;
}

void RunLogicalNot(KernelContext& c) {
  RequireNumbers(c, c.Input("X").dtype());
  const Tensor x = TruthOf(c.Input("X"), c.threads());
  Tensor& out = c.Output("Out");
  out.set_layout(x.layout());
  const auto* const from = x.data<uint8_t>();
  auto* const to = static_cast<uint8_t*>(out.MutableRaw(DataType::kBool));
  math::ParallelRange(c.threads(), x.numel(), math::kElementGrain, [&](int64_t begin, int64_t end) {
    Negate(end - begin, from + begin, to + begin);
  });
}

REGISTER_LITE_OP(logical_not).Input("X").Output("Out").InferShape(InferLogicalNot);
REGISTER_LITE_FUNCTION(logical_not, kHost, kAny, kNCHW, RunLogicalNot, def);

#define LITE_BITWISE(op, expression)                                                        \
  void Run_##op(KernelContext& c) {                                                         \
    ForTypes<bool, int8_t, uint8_t, int16_t, int32_t, int64_t>(                             \
        c, c.Input("X").dtype(), [&](auto zero) {                                           \
          using T = decltype(zero);                                                         \
          ApplyBroadcast<T, T>(                                                             \
              c, [](T x, T y) { return static_cast<T>(expression); }, c.Attr<int>("axis")); \
        });                                                                                 \
  }                                                                                         \
  REGISTER_LITE_FUNCTION(op, kHost, kAny, kNCHW, Run_##op, def);                            \
  REGISTER_LITE_OP(op)                                                                      \
      .Input("X")                                                                           \
      .Input("Y")                                                                           \
      .Output("Out")                                                                        \
      .Attr<int>("axis", -1)                                                                \
      .InferShape(InferBinary)

LITE_BITWISE(bitwise_and, (x & y));
LITE_BITWISE(bitwise_or, (x | y));
LITE_BITWISE(bitwise_xor, (x ^ y));
#undef LITE_BITWISE

void RunBitwiseNot(KernelContext& c) {
  ForTypes<bool, int8_t, uint8_t, int16_t, int32_t, int64_t>(
      c, c.Input("X").dtype(), [&](auto zero) {
        using T = decltype(zero);
        if constexpr (std::is_same_v<T, bool>)
          ApplyUnary<T, T>(c, [](T v) { return !v; });
        else
          ApplyUnary<T, T>(c, [](T v) { return static_cast<T>(~v); });
      });
}

REGISTER_LITE_OP(bitwise_not)
    .Input("X")
    .Output("Out")
    .InferShape(InferUnary({DataType::kBool, DataType::kInt8, DataType::kUInt8, DataType::kInt16,
                            DataType::kInt32, DataType::kInt64}));
REGISTER_LITE_FUNCTION(bitwise_not, kHost, kAny, kNCHW, RunBitwiseNot, def);

// Shifts of integers. Left: zeros come in; right: the sign (`is_arithmetic`) or zeros. A shift by
// the type's bits or more, or by a negative number, leaves nothing but what comes in.
template <typename T>
bool InRange(T by) {
  return by >= 0 && by < static_cast<T>(8 * sizeof(T));
}

template <typename T>
T ShiftLeft(T x, T by) {
  using Bits = std::make_unsigned_t<T>;
  return InRange(by) ? static_cast<T>(static_cast<Bits>(x) << by) : T(0);
}

template <typename T>
T ShiftRight(T x, T by, bool arithmetic) {
  using Bits = std::make_unsigned_t<T>;
  if (!arithmetic) return InRange(by) ? static_cast<T>(static_cast<Bits>(x) >> by) : T(0);
  if (InRange(by)) return static_cast<T>(x >> by);
  return static_cast<T>(x < 0 ? -1 : 0);
}

template <typename Fn>
void RunIntegers(KernelContext& c, Fn fn) {
  ForTypes<uint8_t, int8_t, int16_t, int32_t, int64_t>(c, c.Input("x").dtype(), [&](auto zero) {
    using T = decltype(zero);
    ApplyBroadcast<T, T>(c, [&](T x, T y) { return fn(x, y); });
  });
}

void RunLeft(KernelContext& c) {
  RunIntegers(c, [](auto x, auto y) { return ShiftLeft(x, y); });
}

void RunRight(KernelContext& c) {
  const bool arithmetic = c.Attr<bool>("is_arithmetic");
  RunIntegers(c, [=](auto x, auto y) { return ShiftRight(x, y, arithmetic); });
}

const std::vector<DataType> kIntegers = {DataType::kUInt8, DataType::kInt8, DataType::kInt16,
                                         DataType::kInt32, DataType::kInt64};

REGISTER_LITE_OP(bitwise_left_shift)
    .Input("x")
    .Input("y")
    .Output("out")
    .InferShape(InferBinaryOf(kIntegers));
REGISTER_LITE_FUNCTION(bitwise_left_shift, kHost, kAny, kNCHW, RunLeft, def);
REGISTER_LITE_OP(bitwise_right_shift)
    .Input("x")
    .Input("y")
    .Output("out")
    .Attr<bool>("is_arithmetic", true)
    .InferShape(InferBinaryOf(kIntegers));
REGISTER_LITE_FUNCTION(bitwise_right_shift, kHost, kAny, kNCHW, RunRight, def);

}  // namespace
}  // namespace paddle::lite
