// Out = X * Scale / max_range.
#include <cmath>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/fake_quant.h"

namespace paddle::lite {
namespace {

void InferFakeDequantizeMaxAbs(InferContext& c) {
  const float range = c.Attr<float>("max_range");
  c.Require(std::isfinite(range) && range > 0, "max_range is ", range,
            ", expected a positive number");
  RequireFloat(c, "X");
  RequireFloat(c, "Scale");
  c.Require(c.Dims("Scale").production() == 1, "input Scale has shape ", c.Dims("Scale"),
            ", expected one number");
  const TensorMeta& x = c.Input("X");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

void RunFakeDequantizeMaxAbs(KernelContext& c) {
  const float scale = c.Input("Scale").data<float>()[0], range = c.Attr<float>("max_range");
  ApplyUnary<float, float>(c, [=](float x) { return scale / range * x; });
}

REGISTER_LITE_OP(fake_dequantize_max_abs)
    .Input("X")
    .Input("Scale")
    .Output("Out")
    .RequiredAttr<float>("max_range")
    .InferShape(InferFakeDequantizeMaxAbs);
REGISTER_LITE_FUNCTION(fake_dequantize_max_abs, kHost, kFloat, kAny, RunFakeDequantizeMaxAbs, def);

}  // namespace
}  // namespace paddle::lite
