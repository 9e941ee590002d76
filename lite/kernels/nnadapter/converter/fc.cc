// fc: a matrix product, a bias and an activation. Float ones become MAT_MUL and ADD, which drivers
// fuse themselves; quantised ones FULLY_CONNECTED, whose intermediate needs no scale.
#include <algorithm>

#include "lite/core/tensor.h"
#include "lite/kernels/nnadapter/converter.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

// The input as rows of W's length.
Operand* Rows(Conversion& c, Operand* input, int64_t at, int64_t columns) {
  if (c.Rank(input) == 2 && at == 1) return input;
  return Reshape(c, input, {-1, columns});
}

// Dimensions of the result: those of the rows, and the number of units.
std::vector<int64_t> OutputShape(Conversion& c, Operand* input, int64_t at, int64_t units) {
  std::vector<int64_t> shape = c.Dims(input);
  shape.resize(static_cast<size_t>(at));
  int unknown = 0;
  for (int64_t& dim : shape) {
    if (dim != NNADAPTER_UNKNOWN) continue;
    dim = -1;
    ++unknown;
  }
  if (unknown > 1) throw NeedsKnown{};
  shape.push_back(units);
  return shape;
}

void ConvertFloat(Conversion& c, int64_t at) {
  Operand *input = c.Input("Input"), *weights = c.Input("W"), *bias = c.InputOrNull("Bias");
  const std::vector<int64_t> w = c.Dims(weights);
  const std::string& act = c.Text("activation_type");
  const int fuse = FuseCodeOf(act, c.Float("alpha"));
  // Rows that are all dimensions but the last need no other shape: MAT_MUL is numpy's.
  const bool direct = at == c.Rank(input) - 1;
  Operand* x = direct ? input : Rows(c, input, at, w[0]);
  Operand* y = c.EmitOne(NNADAPTER_MAT_MUL, {x, weights, c.Bool8(false), c.Bool8(false)});
  if (bias != nullptr)
    y = c.EmitOne(NNADAPTER_ADD, {y, BiasFor(c, input, weights, bias, w[1]),
                                  c.Int32(fuse >= 0 ? fuse : NNADAPTER_FUSED_NONE)});
  if (bias == nullptr || fuse < 0) y = Activate(c, y, act, c.Float("alpha"), 0, 0);
  if (!direct && at != 1) y = Reshape(c, y, OutputShape(c, input, at, w[1]));
  c.SetOutput("Out", y);
}

// [K, N] int8 with its scales as the constant [N, K] that FULLY_CONNECTED takes.
Operand* Transposed(Conversion& c, Operand* weights) {
  const Tensor& tensor = *weights->parameter;
  const int64_t k = tensor.dims()[0], n = tensor.dims()[1];
  const auto* from = tensor.data<int8_t>();
  std::vector<int8_t> elements(static_cast<size_t>(k * n));
  for (int64_t i = 0; i < k; ++i)
    for (int64_t j = 0; j < n; ++j) elements[static_cast<size_t>(j * k + i)] = from[i * n + j];
  NNAdapterOperandType type = c.TypeOf(weights);
  std::swap(type.dimensions.data[0], type.dimensions.data[1]);
  if (type.precision == NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL)
    type.symm_per_channel_params.channel_dim = 0;
  return c.Constant(type, elements.data(), elements.size());
}

void ConvertQuantized(Conversion& c, int64_t at) {
  Operand *input = c.Input("Input"), *weights = c.Input("W");
  const std::vector<int64_t> w = c.Dims(weights);
  const int fuse = FuseCodeOf(c.Text("activation_type"), c.Float("alpha"));
  float scale = 0;
  if (fuse < 0) c.Refuse("it is quantised, and its activation cannot be fused");
  if (!c.IsQuantized(weights)) c.Refuse("its input is quantised, but its weights have no scale");
  if (!c.QuantizedOutput("Out", 0, &scale)) c.Refuse("it is quantised, but has no scale for Out");
  NNAdapterOperandType type{};
  type.precision = NNADAPTER_QUANT_INT8_SYMM_PER_LAYER;
  type.symm_per_layer_params.scale = scale;
  Operand* bias = BiasFor(c, input, weights, c.InputOrNull("Bias"), w[1]);
  Operand* y = c.EmitTyped(NNADAPTER_FULLY_CONNECTED,
                           {Rows(c, input, at, w[0]), Transposed(c, weights), bias, c.Int32(fuse)},
                           {type})[0];
  if (at != 1) y = Reshape(c, y, OutputShape(c, input, at, w[1]));
  c.SetOutput("Out", y);
}

void ConvertFc(Conversion& c) {
  const int64_t at = c.Int("at");
  if (c.IsQuantized(c.Input("Input")))
    ConvertQuantized(c, at);
  else
    ConvertFloat(c, at);
}

REGISTER_NNADAPTER_CONVERTER(fc, ConvertFc);

}  // namespace
}  // namespace paddle::lite::nnadapter_bridge
