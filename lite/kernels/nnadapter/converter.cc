#include "lite/kernels/nnadapter/converter.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <string>

#include "lite/core/broadcast_axis.h"
#include "lite/core/tensor.h"
#include "lite/kernels/nnadapter/operand_type.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

std::map<std::string, Converter, std::less<>>& Converters() {
  static auto* converters = new std::map<std::string, Converter, std::less<>>;
  return *converters;
}

}  // namespace

bool RegisterConverter(const char* name, Converter converter) {
  return Converters().emplace(name, converter).second;
}

Converter FindConverter(std::string_view name) {
  const auto found = Converters().find(name);
  return found == Converters().end() ? nullptr : found->second;
}

namespace {

bool IsQuantizedPerChannel(const NNAdapterOperandType& type) {
  return type.precision == NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL;
}

// real = scale * stored; one scale, or one a channel.
std::vector<float> BiasScales(Conversion& c, const Operand* input, const Operand* weights) {
  const NNAdapterOperandType& x = c.TypeOf(input);
  const NNAdapterOperandType& w = c.TypeOf(weights);
  const float scale = x.symm_per_layer_params.scale;
  if (!IsQuantizedPerChannel(w)) return {scale * w.symm_per_layer_params.scale};
  std::vector<float> scales(
      w.symm_per_channel_params.scales,
      w.symm_per_channel_params.scales + w.symm_per_channel_params.scale_count);
  for (float& one : scales) one *= scale;
  return scales;
}

Operand* QuantizedBias(Conversion& c, Operand* input, Operand* weights,
                       const std::vector<float>& values) {
  const NNAdapterOperandType& w = c.TypeOf(weights);
  if (c.TypeOf(input).precision != NNADAPTER_QUANT_INT8_SYMM_PER_LAYER ||
      (w.precision != NNADAPTER_QUANT_INT8_SYMM_PER_LAYER && !IsQuantizedPerChannel(w)))
    c.Refuse("its input and its weights are not both quantised to int8 with scales");
  const std::vector<float> scales = BiasScales(c, input, weights);
  if (scales.size() != 1 && scales.size() != values.size())
    c.Refuse("the scales of its weights are not one for each output channel");
  std::vector<int32_t> stored;
  for (size_t i = 0; i < values.size(); ++i) {
    const double number = std::nearbyint(values[i] / scales[scales.size() == 1 ? 0 : i]);
    if (!(std::fabs(number) < 2147483648.0)) c.Refuse("its bias does not fit int32 at its scale");
    stored.push_back(static_cast<int32_t>(number));
  }
  NNAdapterOperandType type = ListType(NNADAPTER_QUANT_INT32_SYMM_PER_LAYER, values.size());
  if (IsQuantizedPerChannel(w)) {
    type.precision = NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL;
    type.symm_per_channel_params = {0, static_cast<uint32_t>(scales.size()), scales.data()};
  } else {
    type.symm_per_layer_params.scale = scales[0];
  }
  return c.Constant(type, stored.data(), stored.size() * sizeof(int32_t));
}

}  // namespace

Operand* AlignRank(Conversion& c, Operand* operand, Operand* other, int64_t axis) {
  const int rank = c.Rank(operand), wanted = c.Rank(other);
  if (rank >= wanted) return operand;
  const int64_t leading = BroadcastPosition(rank, wanted, axis);
  const int64_t trailing = wanted - leading - rank;
  if (trailing < 0)
    c.Refuse(
        StrCat("axis ", axis, " does not fit operands of ", rank, " and ", wanted, " dimensions"));
  std::vector<int64_t> axes;
  for (int64_t i = 0; i < leading; ++i) axes.push_back(i);
  for (int64_t i = 0; i < trailing; ++i) axes.push_back(leading + rank + i);
  return c.EmitOne(NNADAPTER_UNSQUEEZE, {operand, c.Int32s(axes)});
}

int FuseCodeOf(const std::string& activation, double clip) {
  if (activation.empty()) return NNADAPTER_FUSED_NONE;
  if (activation == "relu") return NNADAPTER_FUSED_RELU;
  if (activation == "relu6" && clip == 6) return NNADAPTER_FUSED_RELU6;
  return -1;
}

Operand* Activate(Conversion& c, Operand* x, const std::string& name, double a, double b,
                  double d) {
  const auto number = [&](double value) { return c.Float32(static_cast<float>(value)); };
  if (name.empty()) return x;
  if (name == "relu") return c.EmitOne(NNADAPTER_RELU, {x});
  if (name == "relu6" && a == 6) return c.EmitOne(NNADAPTER_RELU6, {x});
  if (name == "relu6") return c.EmitOne(NNADAPTER_CLIP, {x, number(0), number(a)});
  if (name == "leaky_relu") return c.EmitOne(NNADAPTER_LEAKY_RELU, {x, number(a)});
  if (name == "hard_swish") {  // x * clip(x + d, 0, a) / b
    if (!(a > 0) || b == 0) c.Refuse("its hard_swish has a threshold or a scale of 0");
    Operand* y = c.EmitOne(NNADAPTER_HARD_SWISH, {x, number(1 / a), number(d / a)});
    if (a == b) return y;
    return c.EmitOne(NNADAPTER_MUL, {y, number(a / b), c.Int32(NNADAPTER_FUSED_NONE)});
  }
  if (name == "hard_sigmoid") return c.EmitOne(NNADAPTER_HARD_SIGMOID, {x, number(a), number(b)});
  if (name == "sigmoid") return c.EmitOne(NNADAPTER_SIGMOID, {x});
  if (name == "swish" || name == "fuse_swish") {  // x * sigmoid(a * x)
    if (a == 1) return c.EmitOne(NNADAPTER_SWISH, {x});
    Operand* none = c.Int32(NNADAPTER_FUSED_NONE);
    Operand* gate = c.EmitOne(NNADAPTER_SIGMOID, {c.EmitOne(NNADAPTER_MUL, {x, number(a), none})});
    return c.EmitOne(NNADAPTER_MUL, {x, gate, none});
  }
  if (name == "tanh" || name == "tanh_act") return c.EmitOne(NNADAPTER_TANH, {x});
  if (name == "gelu") return c.EmitOne(NNADAPTER_GELU, {x, c.Bool8(false)});
  if (name == "exp" || name == "exp_act" || name == "fuse_exp")
    return c.EmitOne(NNADAPTER_EXP, {x});
  if (name == "abs" || name == "abs_act" || name == "fuse_abs")
    return c.EmitOne(NNADAPTER_ABS, {x});
  c.Refuse(StrCat("its activation ", name, " is not one that NNAdapter has"));
}

Operand* BiasFor(Conversion& c, Operand* input, Operand* weights, Operand* bias, int64_t count) {
  if (count <= 0 || count > std::numeric_limits<int32_t>::max())
    c.Refuse("the number of its output channels is not known");
  const bool quantized = c.IsQuantized(input) || c.IsQuantized(weights);
  if (bias == nullptr) {
    const std::vector<float> zeros(static_cast<size_t>(count));
    return quantized ? QuantizedBias(c, input, weights, zeros) : c.Float32s(zeros);
  }
  const std::vector<int64_t> dims = c.Dims(bias);
  int64_t elements = 1;
  bool fits = true;
  for (int64_t dim : dims) fits = fits && !__builtin_mul_overflow(elements, dim, &elements);
  if (!fits || elements != count)
    c.Refuse(StrCat("its bias does not have one number for each of ", count, " channels"));
  if (quantized) return QuantizedBias(c, input, weights, c.ConstantFloats(bias));
  return dims.size() == 1 ? bias : Reshape(c, bias, {count});
}

Operand* Reshape(Conversion& c, Operand* operand, const std::vector<int64_t>& shape) {
  return c.EmitOne(NNADAPTER_RESHAPE, {operand, c.Int32s(shape)});
}

}  // namespace paddle::lite::nnadapter_bridge
