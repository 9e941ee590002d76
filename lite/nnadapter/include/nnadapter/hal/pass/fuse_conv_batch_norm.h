// CONV_2D, BATCH_NORMALIZATION -> CONV_2D with another filter and bias.
#pragma once

#include <cmath>
#include <vector>

#include "nnadapter/hal/graph.h"

namespace nnadapter {
namespace hal {
namespace detail {

inline bool IsConstantFloat(const core::Operand* operand) {
  return operand && IsConstant(*operand) && operand->type.precision == NNADAPTER_FLOAT32;
}

inline bool FuseConvBatchNormAt(Graph* graph, core::Operation* conv) {
  if (conv->type != NNADAPTER_CONV_2D || FuseCodeOf(*conv) != NNADAPTER_FUSED_NONE) return false;
  core::Operation* norm = graph->OnlyReader(&Output(*conv));
  if (!norm || norm->type != NNADAPTER_BATCH_NORMALIZATION) return false;
  core::Operand* old_bias = InputOrNull(*conv, Conv2D::kBias);
  if (!IsConstantFloat(&Input(*conv, Conv2D::kFilter))) return false;
  if (old_bias && !IsConstantFloat(old_bias)) return false;
  for (int i = BatchNormalization::kScale; i <= BatchNormalization::kVariance; ++i) {
    if (!IsConstantFloat(InputOrNull(*norm, i))) return false;
  }
  std::vector<float> filter = Values<float>(*conv, Conv2D::kFilter);
  const std::vector<int32_t> dims = Dims(Input(*conv, Conv2D::kFilter).type);
  const std::vector<float> scale = Values<float>(*norm, BatchNormalization::kScale);
  const std::vector<float> shift = Values<float>(*norm, BatchNormalization::kBias);
  const std::vector<float> mean = Values<float>(*norm, BatchNormalization::kMean);
  const std::vector<float> variance = Values<float>(*norm, BatchNormalization::kVariance);
  const float epsilon = ScalarOr<float>(*norm, BatchNormalization::kEpsilon, 1e-5f);
  const size_t channels = dims.empty() ? 0 : dims[0];
  if (!channels || scale.size() != channels || shift.size() != channels ||
      mean.size() != channels || variance.size() != channels)
    return false;
  std::vector<float> bias(channels, 0.f);
  if (old_bias) bias = Values<float>(*old_bias);
  if (bias.size() != channels) return false;
  const size_t per_channel = filter.size() / channels;
  for (size_t c = 0; c < channels; ++c) {
    const float factor = scale[c] / std::sqrt(variance[c] + epsilon);
    for (size_t i = 0; i < per_channel; ++i) filter[c * per_channel + i] *= factor;
    bias[c] = (bias[c] - mean[c]) * factor + shift[c];
  }
  graph->SetInput(conv, Conv2D::kFilter, graph->AddFloats(filter, dims));
  graph->SetInput(conv, Conv2D::kBias, graph->AddFloats(bias, {static_cast<int32_t>(channels)}));
  graph->TakeOver(conv, norm);
  return true;
}

}  // namespace detail

// Returns how many were fused. Float only; the filter and statistics must be constants.
inline int FuseConvBatchNorm(core::Model* model) {
  Graph graph(model);
  int count = 0;
  for (core::Operation* operation : graph.Operations()) {
    if (graph.Alive(operation)) count += detail::FuseConvBatchNormAt(&graph, operation);
  }
  return count;
}

}  // namespace hal
}  // namespace nnadapter
