#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void RunSign(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t, int16_t, int8_t, uint8_t>(
      c, c.Input("X").dtype(), [&](auto zero) {
        using T = decltype(zero);
        ApplyUnary<T, T>(c, [](T v) {
          return static_cast<T>(v > T(0) ? T(1) : v < T(0) ? T(-1) : v == T(0) ? T(0) : v);
        });
      });
}

REGISTER_LITE_OP(sign).Input("X").Output("Out").InferShape(
    InferUnary({DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64,
                DataType::kInt16, DataType::kInt8, DataType::kUInt8}));
REGISTER_LITE_FUNCTION(sign, kHost, kAny, kAny, RunSign, def);

}  // namespace
}  // namespace paddle::lite
