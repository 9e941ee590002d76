// calib: between fp32 and int8 by a scale, or between element types; the kernel that the program
// names ("calib/fp32_to_int8/...") says which.
#include <cmath>
#include <map>

#include "lite/kernels/nnadapter/converter.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

// The precision that follows "_to_" in the kernel's name; else the usual partner of `from`.
int TargetPrecision(const Conversion& c, int from) {
  static const std::map<std::string, int> kWords = {
      {"fp32", NNADAPTER_FLOAT32}, {"float", NNADAPTER_FLOAT32}, {"fp16", NNADAPTER_FLOAT16},
      {"int8", NNADAPTER_INT8},    {"int32", NNADAPTER_INT32},   {"int64", NNADAPTER_INT64},
      {"bool", NNADAPTER_BOOL8}};
  const std::string& kernel = c.Text("__@kernel_type_attr@__");
  const size_t to = kernel.find("_to_");
  if (to != std::string::npos) {
    const auto word = kWords.find(kernel.substr(to + 4, kernel.find('/', to) - to - 4));
    if (word != kWords.end()) return word->second;
  }
  if (from == NNADAPTER_FLOAT32) return NNADAPTER_INT8;
  if (from == NNADAPTER_INT64) return NNADAPTER_INT32;
  if (from == NNADAPTER_INT32) return NNADAPTER_INT64;
  return NNADAPTER_FLOAT32;
}

void Quantize(Conversion& c, float scale) {
  NNAdapterOperandType type{};
  type.precision = NNADAPTER_QUANT_INT8_SYMM_PER_LAYER;
  type.symm_per_layer_params.scale = scale;
  c.SetOutput("Out",
              c.EmitTyped(NNADAPTER_QUANTIZE,
                          {c.Input("Input"), c.Int32(0), c.Float32(scale), c.Int32(0)}, {type})[0]);
}

void Dequantize(Conversion& c, float scale) {
  const NNAdapterOperandType& type = c.TypeOf(c.Input("Input"));
  if (type.precision != NNADAPTER_QUANT_INT8_SYMM_PER_LAYER)
    c.Refuse("its input is int8 without a scale");
  if (std::fabs(type.symm_per_layer_params.scale - scale) > 1e-6f * scale)
    c.Refuse(StrCat("its input has the scale ", type.symm_per_layer_params.scale, ", not ", scale));
  c.EmitTo({"Out"}, NNADAPTER_DEQUANTIZE, {c.Input("Input")});
}

void ConvertCalib(Conversion& c) {
  Operand* input = c.Input("Input");
  const int from = c.TypeOf(input).precision;
  const bool int8 = from == NNADAPTER_INT8 || c.IsQuantized(input);
  const int to = TargetPrecision(c, from);
  const float scale = c.Float("scale");
  if (!(scale > 0) || !std::isfinite(scale)) c.Refuse(StrCat("its scale is ", scale));
  if (from == NNADAPTER_FLOAT32 && to == NNADAPTER_INT8) return Quantize(c, scale);
  if (int8 && to == NNADAPTER_FLOAT32) return Dequantize(c, scale);
  if (int8) c.Refuse("it converts int8 to another type than float32");
  c.EmitTo({"Out"}, NNADAPTER_CAST, {input, c.Int32(to)});
}

REGISTER_NNADAPTER_CONVERTER(calib, ConvertCalib);

}  // namespace
}  // namespace paddle::lite::nnadapter_bridge
