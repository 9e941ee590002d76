#include <cmath>
#include <cstdlib>

#include "lite/nnadapter/compat/compat.h"
#include "nnadapter/hal/graph.h"
#include "nnadapter/hal/quant.h"

namespace nnadapter {

bool IsSymmPerLayerQuantType(NNAdapterOperandPrecisionCode type) {
  return hal::IsSymmPerLayer(type);
}
bool IsSymmPerChannelQuantType(NNAdapterOperandPrecisionCode type) {
  return hal::IsSymmPerChannel(type);
}
bool IsAsymmPerLayerQuantType(NNAdapterOperandPrecisionCode type) {
  return hal::IsAsymmPerLayer(type);
}
bool IsPerLayerQuantType(NNAdapterOperandPrecisionCode type) {
  return hal::IsSymmPerLayer(type) || hal::IsAsymmPerLayer(type);
}
bool IsPerChannelQuantType(NNAdapterOperandPrecisionCode type) {
  return hal::IsSymmPerChannel(type);
}
bool IsAsymmetricQuantType(NNAdapterOperandPrecisionCode type) {
  return hal::IsAsymmPerLayer(type);
}
bool IsSymmetricQuantType(NNAdapterOperandPrecisionCode type) {
  return hal::IsSymmPerLayer(type) || hal::IsSymmPerChannel(type);
}

#define NNADAPTER_IS_QUANT_TYPE(function, code) \
  bool function(NNAdapterOperandPrecisionCode type) { return type == NNADAPTER_QUANT_##code; }
NNADAPTER_IS_QUANT_TYPE(IsUInt8AsymmPerLayerQuantType, UINT8_ASYMM_PER_LAYER)
NNADAPTER_IS_QUANT_TYPE(IsInt8SymmPerLayerQuantType, INT8_SYMM_PER_LAYER)
NNADAPTER_IS_QUANT_TYPE(IsInt8SymmPerChannelQuantType, INT8_SYMM_PER_CHANNEL)
NNADAPTER_IS_QUANT_TYPE(IsUInt16AsymmPerLayerQuantType, UINT16_ASYMM_PER_LAYER)
NNADAPTER_IS_QUANT_TYPE(IsInt16SymmPerLayerQuantType, INT16_SYMM_PER_LAYER)
NNADAPTER_IS_QUANT_TYPE(IsInt16SymmPerChannelQuantType, INT16_SYMM_PER_CHANNEL)
NNADAPTER_IS_QUANT_TYPE(IsUInt32AsymmPerLayerQuantType, UINT32_ASYMM_PER_LAYER)
NNADAPTER_IS_QUANT_TYPE(IsInt32SymmPerLayerQuantType, INT32_SYMM_PER_LAYER)
NNADAPTER_IS_QUANT_TYPE(IsInt32SymmPerChannelQuantType, INT32_SYMM_PER_CHANNEL)
#undef NNADAPTER_IS_QUANT_TYPE

bool IsConstantOperandType(const NNAdapterOperandType& type) {
  return type.lifetime == NNADAPTER_CONSTANT_COPY || type.lifetime == NNADAPTER_CONSTANT_REFERENCE;
}
bool IsModelInputOperandType(const NNAdapterOperandType& type) {
  return type.lifetime == NNADAPTER_MODEL_INPUT;
}
bool IsModelOutputOperandType(const NNAdapterOperandType& type) {
  return type.lifetime == NNADAPTER_MODEL_OUTPUT;
}
bool IsDynamicShapeOperandType(const NNAdapterOperandType& type) {
  return hal::HasUnknownDims(type);
}

int64_t GetOperandPrecisionDataLength(NNAdapterOperandPrecisionCode type) {
  return static_cast<int64_t>(hal::PrecisionSize(type));
}
int64_t GetOperandTypeBufferLength(const NNAdapterOperandType& type) {
  return hal::ElementCount(type) * GetOperandPrecisionDataLength(type.precision);
}

void CopyOperandType(NNAdapterOperandType* to, const NNAdapterOperandType& from) {
  *to = from;
  hal::OwnScales(to);
}

void Symm2AsymmData(const int8_t* from, size_t count, int32_t zero_point, uint8_t* to) {
  hal::SymmToAsymm(from, count, zero_point, to);
}
void Asymm2SymmData(const uint8_t* from, size_t count, int32_t zero_point, int8_t* to) {
  hal::AsymmToSymm(from, count, zero_point, to);
}

bool CalcAsymmQuantParams(float min, float max, float* scale, int* zero_point) {
  if (!scale || !zero_point || !(min <= max)) return false;
  min = std::min(min, 0.f);  // zero must have a level
  max = std::max(max, 0.f);
  *scale = max > min ? (max - min) / 255.f : 1.f;
  *zero_point = static_cast<int>(std::min(std::max(std::round(-min / *scale), 0.f), 255.f));
  return true;
}

bool CalcSymmQuantParams(float min, float max, float* scale) {
  if (!scale || !(min <= max)) return false;
  const float most = std::max(std::fabs(min), std::fabs(max));
  *scale = most > 0 ? most / 127.f : 1.f;
  return true;
}

bool IsConstantOperand(core::Operand* operand) { return IsConstantOperandType(operand->type); }
bool IsModelInputOperand(core::Operand* operand) { return IsModelInputOperandType(operand->type); }
bool IsModelOutputOperand(core::Operand* operand) {
  return IsModelOutputOperandType(operand->type);
}
bool IsTemporaryShapeOperand(core::Operand* operand) {
  return operand->type.lifetime == NNADAPTER_TEMPORARY_SHAPE;
}
bool IsOperandWithDynamicShape(core::Operand* operand) {
  return hal::HasUnknownDims(operand->type);
}
bool IsOperationWithAllInputConstantOperands(core::Operation* operation) {
  for (core::Operand* input : operation->input_operands) {
    if (input && !IsConstantOperand(input)) return false;
  }
  return true;
}

NNAdapterOperandDimensionType* GetTemporaryShape(core::Operand* operand) {
  return operand ? const_cast<NNAdapterOperandDimensionType*>(hal::ShapeHint(*operand)) : nullptr;
}

}  // namespace nnadapter
