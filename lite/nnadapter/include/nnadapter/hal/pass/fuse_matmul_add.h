// MAT_MUL with a constant matrix, and the ADD behind it if there is one -> FULLY_CONNECTED.
#pragma once

#include <string>
#include <vector>

#include "nnadapter/hal/graph.h"

namespace nnadapter {
namespace hal {
namespace detail {

// The operand's `units` numbers if it is a float constant [units], [1, units] or [1]; else empty.
inline std::vector<float> PerUnit(const core::Operand* operand, size_t units) {
  if (!operand || !IsConstant(*operand) || operand->type.precision != NNADAPTER_FLOAT32) return {};
  const std::vector<int32_t> dims = Dims(operand->type);
  if (dims.empty() || dims.size() > 2 || (dims.size() == 2 && dims[0] != 1)) return {};
  const std::vector<float> values = Values<float>(*operand);
  if (values.size() == 1) return std::vector<float>(units, values[0]);
  return values.size() == units ? values : std::vector<float>();
}

}  // namespace detail

// Nothing, or why a MAT_MUL cannot become FULLY_CONNECTED.
inline std::string MatMulRefusal(const core::Operation& product) {
  const core::Operand& x = Input(product, MatMul::kX);
  const core::Operand& y = Input(product, MatMul::kY);
  if (!IsConstant(y) || y.type.precision != NNADAPTER_FLOAT32)
    return "y must be a constant FLOAT32";
  if (IsConstant(x)) return "x is a constant";
  if (Dims(x.type).size() != 2 || Dims(y.type).size() != 2)
    return Text("multiplies matrices of rank 2, found ", Describe(x.type), " and ",
                Describe(y.type));
  return ScalarOr<bool>(product, MatMul::kTransposeX, false) ? "x cannot be transposed" : "";
}

namespace detail {

inline bool FuseMatMulAddAt(Graph* graph, core::Operation* product) {
  if (product->type != NNADAPTER_MAT_MUL || !MatMulRefusal(*product).empty()) return false;
  core::Operand* x = &Input(*product, MatMul::kX);
  core::Operand* y = &Input(*product, MatMul::kY);
  const bool transposed = ScalarOr<bool>(*product, MatMul::kTransposeY, false);
  const std::vector<int32_t> dims = Dims(y->type);
  const int32_t units = transposed ? dims[0] : dims[1], depth = transposed ? dims[1] : dims[0];

  core::Operand* result = &Output(*product);
  core::Operation* add = graph->OnlyReader(result);
  std::vector<float> bias;
  int fuse_code = NNADAPTER_FUSED_NONE;
  if (add && add->type == NNADAPTER_ADD) {
    const bool first = InputOrNull(*add, Add::kInput0) == result;
    bias = PerUnit(InputOrNull(*add, first ? Add::kInput1 : Add::kInput0), units);
    if (!bias.empty()) fuse_code = FuseCodeOf(*add);
  }
  const bool with_add = !bias.empty();
  if (!with_add) bias.assign(units, 0.f);

  std::vector<float> weight = Values<float>(*y);
  if (!transposed) {
    std::vector<float> turned(weight.size());
    for (int32_t u = 0; u < units; ++u) {
      for (int32_t k = 0; k < depth; ++k)
        turned[static_cast<size_t>(u) * depth + k] = weight[static_cast<size_t>(k) * units + u];
    }
    weight = turned;
  }
  core::Operation* last = with_add ? add : product;
  core::Operand* output = &Output(*last);
  core::Operand* weight_operand = graph->AddFloats(weight, {units, depth});
  core::Operand* bias_operand = graph->AddFloats(bias, {units});
  graph->AddOperation(NNADAPTER_FULLY_CONNECTED,
                      {x, weight_operand, bias_operand, graph->AddInt32(fuse_code)}, {output},
                      product);
  if (with_add) graph->Remove(add);
  graph->Remove(product);
  return true;
}

}  // namespace detail

// Returns how many were fused. Matrices of rank 2 only: others keep their shape as MAT_MUL.
inline int FuseMatMulAdd(core::Model* model) {
  Graph graph(model);
  int count = 0;
  for (core::Operation* operation : graph.Operations()) {
    if (graph.Alive(operation)) count += detail::FuseMatMulAddAt(&graph, operation);
  }
  return count;
}

}  // namespace hal
}  // namespace nnadapter
