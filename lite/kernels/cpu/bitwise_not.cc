#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

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

}  // namespace
}  // namespace paddle::lite
