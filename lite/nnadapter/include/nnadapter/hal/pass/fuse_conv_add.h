// CONV_2D or CONV_2D_TRANSPOSE, ADD of a number a channel -> the convolution's bias.
#pragma once

#include <vector>

#include "nnadapter/hal/graph.h"

namespace nnadapter {
namespace hal {
namespace detail {

// One number a channel from a constant that is added to [N, C, H, W]; empty if it is none.
inline std::vector<float> PerChannel(const core::Operand* operand, size_t channels) {
  if (!operand || !IsConstant(*operand) || operand->type.precision != NNADAPTER_FLOAT32) return {};
  const std::vector<int32_t> dims = Dims(operand->type);
  if (dims.size() > 4) return {};
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[dims.size() - 1 - i] != 1 && i != 2) return {};
  }
  const std::vector<float> values = Values<float>(*operand);
  if (values.size() == 1) return std::vector<float>(channels, values[0]);
  return values.size() == channels ? values : std::vector<float>();
}

inline bool FuseConvAddAt(Graph* graph, core::Operation* conv) {
  if (conv->type != NNADAPTER_CONV_2D && conv->type != NNADAPTER_CONV_2D_TRANSPOSE) return false;
  if (FuseCodeOf(*conv) != NNADAPTER_FUSED_NONE) return false;
  core::Operand* between = &Output(*conv);
  core::Operation* add = graph->OnlyReader(between);
  if (!add || add->type != NNADAPTER_ADD) return false;
  const std::vector<int32_t> dims = Dims(between->type);
  if (dims.size() != 4 || dims[1] < 1) return false;
  core::Operand* addend = InputOrNull(*add, Add::kInput0) == between
                              ? InputOrNull(*add, Add::kInput1)
                              : InputOrNull(*add, Add::kInput0);
  std::vector<float> bias = PerChannel(addend, dims[1]);
  if (bias.empty()) return false;
  const int bias_position = Conv2D::kBias;  // the same in both operations
  if (core::Operand* old = InputOrNull(*conv, bias_position)) {
    if (!IsConstant(*old) || old->type.precision != NNADAPTER_FLOAT32) return false;
    const std::vector<float> values = Values<float>(*old);
    if (values.size() != bias.size()) return false;
    for (size_t c = 0; c < bias.size(); ++c) bias[c] += values[c];
  }
  const int fuse_code = FuseCodeOf(*add);
  graph->SetInput(conv, bias_position, graph->AddFloats(bias, {dims[1]}));
  if (fuse_code != NNADAPTER_FUSED_NONE)
    graph->SetInput(conv, FuseCodePosition(conv->type), graph->AddInt32(fuse_code));
  graph->TakeOver(conv, add);
  return true;
}

}  // namespace detail

// Returns how many were fused. The addition's activation becomes the convolution's.
inline int FuseConvAdd(core::Model* model) {
  Graph graph(model);
  int count = 0;
  for (core::Operation* operation : graph.Operations()) {
    while (graph.Alive(operation) && detail::FuseConvAddAt(&graph, operation)) ++count;
  }
  return count;
}

}  // namespace hal
}  // namespace nnadapter
