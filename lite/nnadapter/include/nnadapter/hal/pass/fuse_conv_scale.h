// CONV_2D, MUL by a number a channel -> CONV_2D with another filter and bias; MUL or ADD of a
// number a channel in front of a CONV_2D likewise.
#pragma once

#include <cmath>
#include <vector>

#include "nnadapter/hal/graph.h"
#include "nnadapter/hal/pass/fuse_conv_add.h"
#include "nnadapter/hal/pass/fuse_conv_batch_norm.h"

namespace nnadapter {
namespace hal {
namespace detail {

inline bool AllFinite(const std::vector<float>& values) {
  for (const float value : values) {
    if (!std::isfinite(value)) return false;
  }
  return true;
}

// The filter and bias of a float CONV_2D: [out, in / group, h, w] and a number for each `out`.
struct ConvWeights {
  std::vector<int32_t> dims;
  std::vector<float> filter, bias;
  int32_t groups = 1;
  bool has_bias = false;

  bool Read(const core::Operation& conv) {
    const core::Operand* stored = InputOrNull(conv, Conv2D::kBias);
    has_bias = stored;
    if (!IsConstantFloat(InputOrNull(conv, Conv2D::kFilter))) return false;
    if (stored && !IsConstantFloat(stored)) return false;
    dims = Dims(Input(conv, Conv2D::kFilter).type);
    filter = Values<float>(conv, Conv2D::kFilter);
    groups = ScalarOr<int32_t>(conv, Conv2D::kGroup, 1);
    if (dims.size() != 4 || dims[0] < 1 || groups < 1 || dims[0] % groups || filter.empty())
      return false;
    bias = stored ? Values<float>(*stored) : std::vector<float>(dims[0], 0.f);
    return bias.size() == static_cast<size_t>(dims[0]);
  }
  bool Write(Graph* graph, core::Operation* conv) const {
    if (!AllFinite(filter) || !AllFinite(bias)) return false;
    graph->SetInput(conv, Conv2D::kFilter, graph->AddFloats(filter, dims));
    if (has_bias) graph->SetInput(conv, Conv2D::kBias, graph->AddFloats(bias, {dims[0]}));
    return true;
  }
};

// What an ADD or MUL does to the channels of `x`; empty where it is no constant, changes another
// dimension or a type.
inline std::vector<float> ChannelNumbers(const core::Operation& operation, const core::Operand* x,
                                         size_t channels) {
  const NNAdapterOperandType& result = Output(operation).type;
  const std::vector<int32_t> dims = Dims(x->type);
  if (x->type.precision != NNADAPTER_FLOAT32 || result.precision != NNADAPTER_FLOAT32) return {};
  if (dims.size() != 4 || dims[1] != static_cast<int32_t>(channels) || dims != Dims(result))
    return {};
  const core::Operand* first = InputOrNull(operation, Mul::kInput0);
  return PerChannel(first == x ? InputOrNull(operation, Mul::kInput1) : first, channels);
}

inline bool FuseConvScaleAt(Graph* graph, core::Operation* conv) {
  if (conv->type != NNADAPTER_CONV_2D || FuseCodeOf(*conv) != NNADAPTER_FUSED_NONE) return false;
  core::Operand* between = &Output(*conv);
  core::Operation* mul = graph->OnlyReader(between);
  ConvWeights weights;
  if (!mul || mul->type != NNADAPTER_MUL || !weights.Read(*conv)) return false;
  const size_t channels = weights.bias.size(), per_channel = weights.filter.size() / channels;
  const std::vector<float> factors = ChannelNumbers(*mul, between, channels);
  if (factors.empty()) return false;
  for (size_t c = 0; c < channels; ++c) {
    for (size_t i = 0; i < per_channel; ++i) weights.filter[c * per_channel + i] *= factors[c];
    weights.bias[c] *= factors[c];
  }
  const int fuse_code = FuseCodeOf(*mul);
  if (!weights.Write(graph, conv)) return false;
  if (fuse_code != NNADAPTER_FUSED_NONE)
    graph->SetInput(conv, Conv2D::kFuseCode, graph->AddInt32(fuse_code));
  graph->TakeOver(conv, mul);
  return true;
}

inline bool IsUnpadded(const core::Operation& conv) {
  if (ScalarOr<int>(conv, Conv2D::kAutoPad, NNADAPTER_AUTO_PAD_NONE) == NNADAPTER_AUTO_PAD_SAME)
    return false;
  const core::Operand* pads = InputOrNull(conv, Conv2D::kPads);
  if (!pads || !IsConstant(*pads)) return false;
  for (const int32_t pad : Values<int32_t>(*pads)) {
    if (pad) return false;
  }
  return true;
}

// conv(a * x) has the filter times a; conv(x + b) adds filter . b to the bias.
inline bool FuseAffineConvAt(Graph* graph, core::Operation* conv) {
  if (conv->type != NNADAPTER_CONV_2D) return false;
  core::Operand* between = &Input(*conv, Conv2D::kInput);
  core::Operation* affine = graph->Producer(between);
  if (!affine || graph->OnlyReader(between) != conv) return false;
  if (affine->type != NNADAPTER_MUL && affine->type != NNADAPTER_ADD) return false;
  const bool adds = affine->type == NNADAPTER_ADD;
  ConvWeights weights;
  if (FuseCodeOf(*affine) != NNADAPTER_FUSED_NONE || (adds && !IsUnpadded(*conv))) return false;
  if (!weights.Read(*conv)) return false;
  core::Operand* x = &Input(*affine, Mul::kInput0);
  if (IsConstant(*x)) x = &Input(*affine, Mul::kInput1);
  const size_t in = weights.dims[1], out = weights.bias.size();
  const std::vector<float> values = ChannelNumbers(*affine, x, in * weights.groups);
  if (values.empty() || IsConstant(*x)) return false;
  const size_t window = weights.filter.size() / (out * in), group = out / weights.groups;
  for (size_t o = 0; o < out; ++o) {
    double sum = weights.bias[o];
    for (size_t i = 0; i < in; ++i) {
      const float value = values[o / group * in + i];
      float* row = &weights.filter[(o * in + i) * window];
      for (size_t k = 0; k < window; ++k) {
        sum += static_cast<double>(row[k]) * value;
        if (!adds) row[k] *= value;
      }
    }
    if (adds) weights.bias[o] = static_cast<float>(sum);
  }
  weights.has_bias |= adds;
  if (!weights.Write(graph, conv)) return false;
  graph->SetInput(conv, Conv2D::kInput, x);
  graph->Remove(affine);
  return true;
}

}  // namespace detail

// Returns how many were fused. Float only; filter, bias and numbers must be constants. An addition
// goes only into a convolution without padding. A multiplication's activation behind becomes the
// convolution's.
inline int FuseConvScale(core::Model* model) {
  Graph graph(model);
  int count = 0;
  for (core::Operation* operation : graph.Operations()) {
    while (graph.Alive(operation) && (detail::FuseConvScaleAt(&graph, operation) ||
                                      detail::FuseAffineConvAt(&graph, operation)))
      ++count;
  }
  return count;
}

}  // namespace hal
}  // namespace nnadapter
