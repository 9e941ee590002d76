// An operation with a fuse_code -> the operation without, and RELU, RELU6 or CLIP to [-1, 1].
#pragma once

#include "nnadapter/hal/graph.h"

namespace nnadapter {
namespace hal {

// For devices without fused activations; returns how many were taken apart.
inline int UnfuseActivation(core::Model* model) {
  Graph graph(model);
  int count = 0;
  for (core::Operation* operation : graph.Operations()) {
    const int code = FuseCodeOf(*operation);
    if (code == NNADAPTER_FUSED_NONE) continue;
    if (code != NNADAPTER_FUSED_RELU && code != NNADAPTER_FUSED_RELU1 &&
        code != NNADAPTER_FUSED_RELU6)
      throw InvalidParameter(Text(OperationName(operation->type), ": fuse_code ", code));
    core::Operand* result = &Output(*operation);
    core::Operand* before = graph.AddTemporary(result->type);
    core::Operation* next = graph.After(operation);
    if (code == NNADAPTER_FUSED_RELU1) {
      graph.AddOperation(NNADAPTER_CLIP,
                         {before, graph.AddFloats({-1.f}, {1}), graph.AddFloats({1.f}, {1})},
                         {result}, next);
    } else {
      const bool relu = code == NNADAPTER_FUSED_RELU;
      graph.AddOperation(relu ? NNADAPTER_RELU : NNADAPTER_RELU6, {before}, {result}, next);
    }
    graph.SetOutput(operation, 0, before);
    graph.SetInput(operation, FuseCodePosition(operation->type),
                   graph.AddInt32(NNADAPTER_FUSED_NONE));
    ++count;
  }
  return count;
}

}  // namespace hal
}  // namespace nnadapter
