#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void InferLogicalNot(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.SetOutput("Out", x.dims, DataType::kBool, x.lod);
}

void RunLogicalNot(KernelContext& c) {
  ForTypes<bool, int8_t, uint8_t, int16_t, int32_t, int64_t, float, double>(
      c, c.Input("X").dtype(), [&](auto zero) {
        using T = decltype(zero);
        ApplyUnary<T, bool>(c, [](T v) { return v == T(0); });
      });
}

REGISTER_LITE_OP(logical_not).Input("X").Output("Out").InferShape(InferLogicalNot);
REGISTER_LITE_FUNCTION(logical_not, kHost, kAny, kNCHW, RunLogicalNot, def);

}  // namespace
}  // namespace paddle::lite
