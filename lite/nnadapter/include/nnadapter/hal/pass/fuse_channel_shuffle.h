// RESHAPE [N,C,H,W] to [N,g,C/g,H,W], TRANSPOSE (0,2,1,3,4), RESHAPE back -> CHANNEL_SHUFFLE.
#pragma once

#include <vector>

#include "nnadapter/hal/graph.h"

namespace nnadapter {
namespace hal {
namespace detail {

inline bool FuseChannelShuffleAt(Graph* graph, core::Operation* split) {
  if (split->type != NNADAPTER_RESHAPE) return false;
  core::Operation* swap = graph->OnlyReader(&Output(*split));
  if (!swap || swap->type != NNADAPTER_TRANSPOSE) return false;
  core::Operation* join = graph->OnlyReader(&Output(*swap));
  if (!join || join->type != NNADAPTER_RESHAPE || graph->IsInput(&Output(*join))) return false;
  if (InputOrNull(*swap, Transpose::kInput) != &Output(*split) ||
      InputOrNull(*join, Reshape::kInput) != &Output(*swap))
    return false;
  core::Operand* input = &Input(*split, Reshape::kInput);
  const std::vector<int32_t> from = Dims(input->type), middle = Dims(Output(*split).type);
  if (from.size() != 4 || middle.size() != 5 || Dims(Output(*join).type) != from) return false;
  const int32_t channels = from[1], group = middle[1];
  if (channels < 1 || group < 1 || middle[2] < 1 || group * middle[2] != channels) return false;
  // An unknown extent matches if it stands in the same place.
  if (middle[0] != from[0] || middle[3] != from[2] || middle[4] != from[3]) return false;
  if (!IsConstant(Input(*swap, Transpose::kPerm))) return false;
  if (Values<int>(*swap, Transpose::kPerm) != std::vector<int>{0, 2, 1, 3, 4}) return false;
  core::Operand* output = &Output(*join);
  graph->AddOperation(NNADAPTER_CHANNEL_SHUFFLE, {input, graph->AddInt32(group)}, {output}, split);
  graph->Remove(join);
  graph->Remove(swap);
  graph->Remove(split);
  return true;
}

}  // namespace detail

// Returns how many were fused.
inline int FuseChannelShuffle(core::Model* model) {
  Graph graph(model);
  int count = 0;
  for (core::Operation* operation : graph.Operations()) {
    if (graph.Alive(operation)) count += detail::FuseChannelShuffleAt(&graph, operation);
  }
  return count;
}

}  // namespace hal
}  // namespace nnadapter
