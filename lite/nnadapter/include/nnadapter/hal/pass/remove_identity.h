// Removes operations that change nothing: RESHAPE to the same shape, TRANSPOSE by 0, 1, 2, ...
#pragma once

#include <algorithm>
#include <vector>

#include "nnadapter/hal/graph.h"

namespace nnadapter {
namespace hal {
namespace detail {

inline bool SameType(const NNAdapterOperandType& a, const NNAdapterOperandType& b) {
  if (a.precision != b.precision || Dims(a) != Dims(b)) return false;
  if (IsSymmPerLayer(a.precision))
    return a.symm_per_layer_params.scale == b.symm_per_layer_params.scale;
  if (IsAsymmPerLayer(a.precision))
    return a.asymm_per_layer_params.scale == b.asymm_per_layer_params.scale &&
           a.asymm_per_layer_params.zero_point == b.asymm_per_layer_params.zero_point;
  return !IsSymmPerChannel(a.precision);
}

// All numbers of a constant are `value`; false where it is none.
inline bool AllAre(const core::Operand* operand, int value) {
  if (!operand || !IsConstant(*operand)) return false;
  const std::vector<int> values = Values<int>(*operand);
  return std::all_of(values.begin(), values.end(), [&](int v) { return v == value; });
}

inline bool IsIdentity(const core::Operation& operation) {
  if (operation.input_operands.empty() || operation.output_operands.size() != 1) return false;
  if (!operation.input_operands[0] || !operation.output_operands[0]) return false;
  if (!SameType(Input(operation, 0).type, Output(operation).type)) return false;
  const bool known = !HasUnknownDims(Output(operation).type);
  switch (operation.type) {
    case NNADAPTER_ASSIGN:
    case NNADAPTER_CAST:
      return true;
    case NNADAPTER_EXPAND:
    case NNADAPTER_FLATTEN:
    case NNADAPTER_RESHAPE:
    case NNADAPTER_SQUEEZE:
    case NNADAPTER_UNSQUEEZE:
      return known;
    case NNADAPTER_CONCAT:
      return operation.input_operands.size() == 2;
    case NNADAPTER_SUM:
      return operation.input_operands.size() == 1;
    case NNADAPTER_PAD:
      return AllAre(InputOrNull(operation, Pad::kPads), 0);
    case NNADAPTER_TILE:
      return AllAre(InputOrNull(operation, Tile::kRepeats), 1);
    case NNADAPTER_TRANSPOSE: {
      if (!IsConstant(Input(operation, Transpose::kPerm))) return false;
      const std::vector<int> perm = Values<int>(operation, Transpose::kPerm);
      for (size_t i = 0; i < perm.size(); ++i) {
        if (perm[i] != static_cast<int>(i)) return false;
      }
      return true;
    }
    default:
      return false;
  }
}

}  // namespace detail

// Returns how many were removed. One stays where it joins a model's input or constant to its
// output, or one output to another.
inline int RemoveIdentity(core::Model* model) {
  Graph graph(model);
  int count = 0;
  for (core::Operation* operation : graph.Operations()) {
    if (!detail::IsIdentity(*operation)) continue;
    core::Operand* input = &Input(*operation, 0);
    core::Operand* output = &Output(*operation);
    if (!graph.IsOutput(output)) {
      graph.ReplaceReads(output, input);
      graph.Remove(operation);
      ++count;
      continue;
    }
    core::Operation* producer = graph.Producer(input);
    if (!producer || graph.IsOutput(input)) continue;
    auto& results = producer->output_operands;
    const size_t at = std::find(results.begin(), results.end(), input) - results.begin();
    graph.ReplaceReads(input, output);  // also the identity's own: it goes next
    graph.Remove(operation);
    graph.SetOutput(producer, at, output);
    ++count;
  }
  return count;
}

}  // namespace hal
}  // namespace nnadapter
