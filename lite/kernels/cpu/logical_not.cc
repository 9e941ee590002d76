#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void Infer(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.SetOutput("Out", x.dims, DataType::kBool, x.lod);
}

void Run(KernelContext& c) {
  ForTypes<bool, int8_t, uint8_t, int16_t, int32_t, int64_t, float, double>(
      c, c.Input("X").dtype(), [&](auto zero) {
        using T = decltype(zero);
        ApplyUnary<T, bool>(c, [](T v) { return v == T(0); });
      });
}

REGISTER_LITE_OP(logical_not).Input("X").Output("Out").InferShape(Infer);
REGISTER_LITE_FUNCTION(logical_not, kHost, kAny, kNCHW, Run, def);

}  // namespace
}  // namespace paddle::lite
