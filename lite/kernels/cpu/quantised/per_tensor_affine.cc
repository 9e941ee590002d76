// Numbers rounded to the grid of integers with a scale and a zero point, kept as floats: torch's
// fake_quantize_per_tensor_affine, and what QuantizeLinear and DequantizeLinear of ONNX do
// together.
#include <cmath>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/activation/activation.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"

namespace paddle::lite {
namespace {

constexpr int kMostSteps = 65535;  // of a grid

void InferAffineRounding(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireFloat(c, "X");
  const float scale = c.Attr<float>("scale");
  const int64_t zero = c.Attr<int>("zero_point");
  const int64_t lowest = c.Attr<int>("quant_min"), highest = c.Attr<int>("quant_max");
  c.Require(std::isnormal(scale) && scale > 0, "attribute scale is ", scale,
            ", expected a positive number");
  c.Require(lowest <= zero && zero <= highest && highest - lowest <= kMostSteps,
            "attribute zero_point is ", zero, ", quant_min ", lowest, " and quant_max ", highest,
            ", expected one between the others, which are at most ", kMostSteps, " apart");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

math::Activation RoundingAsActivation(const OpLite& op) {
  const int zero = op.Attr<int>("zero_point");
  return {math::Act::kSteps, op.Attr<float>("scale"),
          static_cast<float>(op.Attr<int>("quant_min") - zero),
          static_cast<float>(op.Attr<int>("quant_max") - zero)};
}

void RunAffineRounding(KernelContext& c) { RunActivation(c, RoundingAsActivation(c.op())); }

REGISTER_LITE_OP(fake_quantize_per_tensor_affine)
    .Input("X")
    .Output("Out")
    .Attr<float>("scale", 1.0f)
    .Attr<int>("zero_point", 0)
    .Attr<int>("quant_min", 0)
    .Attr<int>("quant_max", 255)
    .InferShape(InferAffineRounding)
    .AsActivation(RoundingAsActivation);
REGISTER_LITE_FUNCTION(fake_quantize_per_tensor_affine, kHost, kFloat, kAny, RunAffineRounding,
                       def);

}  // namespace
}  // namespace paddle::lite
