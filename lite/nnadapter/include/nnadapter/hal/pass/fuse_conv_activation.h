// A convolution (or another operation with a fuse_code) and RELU or RELU6 -> one operation.
#pragma once

#include <cmath>
#include <functional>

#include "nnadapter/hal/graph.h"

namespace nnadapter {
namespace hal {
namespace detail {

// The NNAdapterFuseCode that does the same, or NONE.
inline int ActivationCode(const core::Operation& operation) {
  if (operation.type == NNADAPTER_RELU) return NNADAPTER_FUSED_RELU;
  if (operation.type == NNADAPTER_RELU6) return NNADAPTER_FUSED_RELU6;
  if (operation.type != NNADAPTER_CLIP) return NNADAPTER_FUSED_NONE;
  const core::Operand* low = InputOrNull(operation, Clip::kMin);
  const core::Operand* high = InputOrNull(operation, Clip::kMax);
  if (!low || !high || !IsConstant(*low) || !IsConstant(*high)) return NNADAPTER_FUSED_NONE;
  const float from = Scalar<float>(*low), to = Scalar<float>(*high);
  if (from == 0.f && to == 6.f) return NNADAPTER_FUSED_RELU6;
  if (from == -1.f && to == 1.f) return NNADAPTER_FUSED_RELU1;
  if (from == 0.f && std::isinf(to) && to > 0) return NNADAPTER_FUSED_RELU;
  return NNADAPTER_FUSED_NONE;
}

}  // namespace detail

// Fuses behind operations of a kind; returns how many were fused.
inline int FuseActivation(core::Model* model,
                          const std::function<bool(NNAdapterOperationType)>& into) {
  Graph graph(model);
  int count = 0;
  for (core::Operation* operation : graph.Operations()) {
    if (!graph.Alive(operation) || !into(operation->type)) continue;
    const int position = FuseCodePosition(operation->type);
    if (position < 0 || FuseCodeOf(*operation) != NNADAPTER_FUSED_NONE) continue;
    core::Operation* activation = graph.OnlyReader(&Output(*operation));
    if (!activation || Output(*activation).type.precision != Output(*operation).type.precision)
      continue;
    const int code = detail::ActivationCode(*activation);
    if (code == NNADAPTER_FUSED_NONE) continue;
    graph.SetInput(operation, position, graph.AddInt32(code));
    graph.TakeOver(operation, activation);
    ++count;
  }
  return count;
}

inline int FuseConvActivation(core::Model* model) {
  return FuseActivation(model, [](NNAdapterOperationType type) {
    return type == NNADAPTER_CONV_2D || type == NNADAPTER_CONV_2D_TRANSPOSE;
  });
}

}  // namespace hal
}  // namespace nnadapter
