#include "lite/nnadapter/nnapi/operations/weights.h"

namespace nnadapter::nnapi {
namespace {

// The scales that an int32 bias has: those of the weights, times that of the input.
std::vector<float> BiasScales(const Tensor& input, const Tensor& weights) {
  std::vector<float> scales = weights.channel_scales;
  if (scales.empty()) scales = {weights.scale};
  for (float& scale : scales) scale *= input.scale;
  return scales;
}

// A constant int32 bias with its scales.
Value QuantisedBias(Translation& t, Value bias, const std::vector<float>& scales) {
  Tensor like = *bias;
  const bool one = scales.size() == 1;
  like.precision =
      one ? NNADAPTER_QUANT_INT32_SYMM_PER_LAYER : NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL;
  like.scale = one ? scales[0] : 0;
  like.channel_dim = 0;
  like.channel_scales = one ? std::vector<float>() : scales;
  return t.Constant(like, bias->data);
}

Value RealBias(Translation& t, Value bias, const std::vector<float>& scales) {
  if (bias->quantised()) return t.Real(bias);
  if (bias->precision != NNADAPTER_INT32) return bias;
  const Value numbers = t.Emit(NNADAPTER_CAST, {bias, t.Int32(NNADAPTER_FLOAT32)});
  return t.Emit(NNADAPTER_MUL, {numbers, t.Float32s(scales), t.Int32(NNADAPTER_FUSED_NONE)});
}

}  // namespace

Weighted WeightedInputs(Translation& t, Value input, const Shape& order) {
  const Value weights = t.Input(1), bias = t.Input(2);
  if (!input->quantised()) return {input, t.Transposed(t.Real(weights), order), t.Real(bias)};
  const std::vector<float> scales = BiasScales(*input, *weights);
  if (weights->constant() && bias->constant())
    return {input, t.Transposed(weights, order), QuantisedBias(t, bias, scales)};
  return {t.Real(input), t.Transposed(t.Real(weights), order), RealBias(t, bias, scales)};
}

}  // namespace nnadapter::nnapi
