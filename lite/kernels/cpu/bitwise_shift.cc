// Shifts of integers. Left: zeros come in; right: the sign (`is_arithmetic`) or zeros. A shift by
// the type's bits or more, or by a negative number, leaves nothing but what comes in.
#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

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
