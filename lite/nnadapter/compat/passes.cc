// The kit's passes under their public names, and those that the kit does not have.
#include "lite/nnadapter/compat/compat.h"
#include "nnadapter/hal/hal.h"

namespace nnadapter {
namespace {

template <typename Rewrite>
void ForEachOperation(core::Model* model, Rewrite rewrite) {
  hal::Graph graph(model);
  for (core::Operation* operation : graph.Operations()) {
    if (graph.Alive(operation)) rewrite(&graph, operation);
  }
}

// ADAPTIVE_*_POOL_2D whose window is the same everywhere.
void MakeWindow(hal::Graph* graph, core::Operation* pool) {
  const bool average = pool->type == NNADAPTER_ADAPTIVE_AVERAGE_POOL_2D;
  if (!average && pool->type != NNADAPTER_ADAPTIVE_MAX_POOL_2D) return;
  core::Operand* input = &hal::Input(*pool, 0);
  const std::vector<int32_t> from = hal::Dims(input->type), to = hal::Dims(hal::Output(*pool).type);
  if (from.size() != 4 || to.size() != 4) return;
  std::vector<int32_t> window;
  for (int axis = 2; axis < 4; ++axis) {
    if (from[axis] < 1 || to[axis] < 1 || from[axis] % to[axis]) return;
    window.push_back(from[axis] / to[axis]);
  }
  const auto ints = [&](std::vector<int32_t> values) {
    const std::vector<int32_t> dims{static_cast<int32_t>(values.size())};
    return graph->AddConstant(hal::Graph::Type(NNADAPTER_INT32, dims), values.data());
  };
  const auto flag = [&](bool value) {
    return graph->AddConstant(hal::Graph::Type(NNADAPTER_BOOL8, {1}), &value);
  };
  std::vector<core::Operand*> inputs{
      input,      ints({NNADAPTER_AUTO_PAD_NONE}), ints({0, 0, 0, 0}), ints(window), ints(window),
      flag(false)};
  if (average) {
    inputs.push_back(flag(false));
  } else {
    core::Operand* indices = hal::InputOrNull(*pool, hal::AdaptiveMaxPool2D::kReturnIndices);
    core::Operand* dtype = hal::InputOrNull(*pool, hal::AdaptiveMaxPool2D::kReturnIndicesDtype);
    if (indices && hal::Scalar<bool>(*indices)) return;  // indices of another window
    inputs.push_back(indices ? indices : flag(false));
    inputs.push_back(dtype ? dtype : ints({NNADAPTER_INT32}));
  }
  inputs.push_back(ints({NNADAPTER_FUSED_NONE}));
  const std::vector<core::Operand*> outputs = pool->output_operands;
  graph->AddOperation(average ? NNADAPTER_AVERAGE_POOL_2D : NNADAPTER_MAX_POOL_2D, inputs, outputs,
                      pool);
  graph->Remove(pool);
}

// SIGMOID of x, MUL by x -> SWISH.
void MakeSwish(hal::Graph* graph, core::Operation* sigmoid) {
  if (sigmoid->type != NNADAPTER_SIGMOID) return;
  core::Operand* x = &hal::Input(*sigmoid, 0);
  core::Operand* y = &hal::Output(*sigmoid);
  core::Operation* mul = graph->OnlyReader(y);
  if (!mul || mul->type != NNADAPTER_MUL || hal::FuseCodeOf(*mul) != NNADAPTER_FUSED_NONE) return;
  const core::Operand *a = hal::InputOrNull(*mul, 0), *b = hal::InputOrNull(*mul, 1);
  if (!(a == x && b == y) && !(a == y && b == x)) return;
  core::Operand* output = &hal::Output(*mul);
  graph->AddOperation(NNADAPTER_SWISH, {x}, {output}, sigmoid);
  graph->Remove(mul);
  graph->Remove(sigmoid);
}

// The float constant `bias` as int32 levels of `scale`; empty where it is not one a unit.
std::vector<int32_t> BiasLevels(const core::Operand* bias, size_t units, float scale) {
  std::vector<int32_t> levels;
  for (float value : hal::detail::PerUnit(bias, units))
    levels.push_back(hal::QuantizeValue<int32_t>(value, scale));
  return levels;
}

// MAT_MUL of int8 to int32 levels, DEQUANTIZE, ADD of a constant -> FULLY_CONNECTED, DEQUANTIZE.
void MakeFullyConnected(hal::Graph* graph, core::Operation* product) {
  if (product->type != NNADAPTER_MAT_MUL) return;
  core::Operand &x = hal::Input(*product, 0), &y = hal::Input(*product, 1);
  core::Operand* levels = &hal::Output(*product);
  if (!hal::IsConstant(y) || y.type.precision != NNADAPTER_QUANT_INT8_SYMM_PER_LAYER ||
      x.type.precision != NNADAPTER_QUANT_INT8_SYMM_PER_LAYER ||
      levels->type.precision != NNADAPTER_QUANT_INT32_SYMM_PER_LAYER ||
      hal::Dims(x.type).size() != 2 || hal::Dims(y.type).size() != 2 ||
      hal::ScalarOr<bool>(*product, hal::MatMul::kTransposeX, false))
    return;
  core::Operation* dequantize = graph->OnlyReader(levels);
  if (!dequantize || dequantize->type != NNADAPTER_DEQUANTIZE) return;
  core::Operand* floats = &hal::Output(*dequantize);
  core::Operation* add = graph->OnlyReader(floats);
  if (!add || add->type != NNADAPTER_ADD || hal::FuseCodeOf(*add) != NNADAPTER_FUSED_NONE) return;
  const bool transposed = hal::ScalarOr<bool>(*product, hal::MatMul::kTransposeY, false);
  const int32_t units = hal::Dims(y.type)[transposed ? 0 : 1];
  const core::Operand* addend = hal::InputOrNull(*add, hal::InputOrNull(*add, 0) == floats ? 1 : 0);
  const std::vector<int32_t> bias =
      BiasLevels(addend, units, levels->type.symm_per_layer_params.scale);
  if (bias.empty()) return;
  core::Operand* weight = graph->AddConstant(y.type, y.buffer);
  if (!transposed) TransposeOperand(weight, {1, 0});
  NNAdapterOperandType bias_type = hal::Graph::Type(NNADAPTER_QUANT_INT32_SYMM_PER_LAYER, {units});
  bias_type.symm_per_layer_params = levels->type.symm_per_layer_params;
  core::Operand* bias_operand = graph->AddConstant(bias_type, bias.data());
  core::Operand* sum = graph->AddTemporary(levels->type);
  core::Operand* output = &hal::Output(*add);
  core::Operand* none = graph->AddInt32(NNADAPTER_FUSED_NONE);
  graph->AddOperation(NNADAPTER_FULLY_CONNECTED, {&x, weight, bias_operand, none}, {sum}, product);
  graph->AddOperation(NNADAPTER_DEQUANTIZE, {sum}, {output}, product);
  graph->Remove(add);
  graph->Remove(dequantize);
  graph->Remove(product);
}

}  // namespace

// Quantised convolutions keep their BATCH_NORMALIZATION: `max_scale_deviation` is about those.
void FuseConv2DBatchNormIntoConv2D(core::Model* model, double) { hal::FuseConvBatchNorm(model); }

void FuseConv2DAddIntoConv2D(core::Model* model) { hal::FuseConvAdd(model); }

void FuseConv2DActivationIntoConv2D(core::Model* model) { hal::FuseConvActivation(model); }

// Matrices of rank 2 only, whatever is asked: that never changes a shape.
void FuseMatMulAddIntoFullyConnected(core::Model* model, bool) { hal::FuseMatMulAdd(model); }

void FuseMatMulDequantAddIntoFullyConnectedDequant(core::Model* model, bool) {
  ForEachOperation(model, MakeFullyConnected);
}

void FuseReshapeTransposeReshapeIntoChannelShuffle(core::Model* model) {
  hal::FuseChannelShuffle(model);
}

void FuseSigmoidMulIntoSwish(core::Model* model) { ForEachOperation(model, MakeSwish); }

void ConvertAdaptivePool2dIntoPool2d(core::Model* model) { ForEachOperation(model, MakeWindow); }

void ConvertQuantizationSymmToAsymm(core::Model* model) { hal::ConvertSymmToAsymm(model); }

void ConstantFoldOperations(core::Model* model) { hal::FoldConstants(model); }

}  // namespace nnadapter
