// Quantised elements: scales, conversion between symmetric int8 and asymmetric uint8, rounding.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "nnadapter/hal/graph.h"

namespace nnadapter {
namespace hal {

// One scale, or one a channel; none for elements that are not quantised.
inline std::vector<float> Scales(const NNAdapterOperandType& type) {
  if (IsSymmPerLayer(type.precision)) return {type.symm_per_layer_params.scale};
  if (IsAsymmPerLayer(type.precision)) return {type.asymm_per_layer_params.scale};
  if (!IsSymmPerChannel(type.precision)) return {};
  const auto& params = type.symm_per_channel_params;
  if (params.scale_count && !params.scales)
    throw InvalidParameter(Text(Describe(type), " has no scales"));
  return {params.scales, params.scales + params.scale_count};
}

inline int32_t ZeroPoint(const NNAdapterOperandType& type) {
  return IsAsymmPerLayer(type.precision) ? type.asymm_per_layer_params.zero_point : 0;
}

// Half away from zero, saturated to T.
template <typename T>
T QuantizeValue(float value, float scale, int32_t zero_point = 0) {
  const double level = std::round(static_cast<double>(value) / scale) + zero_point;
  const double low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return static_cast<T>(std::isnan(level) ? zero_point : std::min(std::max(level, low), high));
}

inline float DequantizeValue(int32_t level, float scale, int32_t zero_point = 0) {
  return scale * static_cast<float>(level - zero_point);
}

// int8 with zero point 0 -> uint8 with another, and back, saturated; `from` is not changed.
inline void SymmToAsymm(const int8_t* from, size_t count, int32_t zero_point, uint8_t* to) {
  for (size_t i = 0; i < count; ++i)
    to[i] = static_cast<uint8_t>(std::min(std::max(from[i] + zero_point, 0), 255));
}
inline void AsymmToSymm(const uint8_t* from, size_t count, int32_t zero_point, int8_t* to) {
  for (size_t i = 0; i < count; ++i)
    to[i] = static_cast<int8_t>(std::min(std::max(from[i] - zero_point, -128), 127));
}

namespace detail {

// Operations whose result is their first input's elements, moved or chosen.
inline bool KeepsElements(NNAdapterOperationType type) {
  switch (type) {
    case NNADAPTER_ASSIGN:
    case NNADAPTER_CHANNEL_SHUFFLE:
    case NNADAPTER_EXPAND:
    case NNADAPTER_FLATTEN:
    case NNADAPTER_GATHER:
    case NNADAPTER_MAX_POOL_2D:
    case NNADAPTER_RESHAPE:
    case NNADAPTER_RESIZE_NEAREST:
    case NNADAPTER_SLICE:
    case NNADAPTER_SPLIT:
    case NNADAPTER_SQUEEZE:
    case NNADAPTER_TILE:
    case NNADAPTER_TRANSPOSE:
    case NNADAPTER_UNSQUEEZE:
    case NNADAPTER_UNSTACK:
      return true;
    default:
      return false;
  }
}

inline void MakeAsymm(core::Operand* operand, int32_t zero_point) {
  if (operand->type.precision != NNADAPTER_QUANT_INT8_SYMM_PER_LAYER) return;
  const float scale = operand->type.symm_per_layer_params.scale;
  operand->type.precision = NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER;
  operand->type.asymm_per_layer_params = {scale, zero_point};
  if (!IsConstant(*operand)) return;
  auto* buffer = static_cast<uint8_t*>(std::malloc(std::max<size_t>(operand->length, 1)));
  if (!buffer) throw std::bad_alloc();
  SymmToAsymm(static_cast<const int8_t*>(operand->buffer), operand->length, zero_point, buffer);
  if (operand->type.lifetime == NNADAPTER_CONSTANT_COPY) std::free(operand->buffer);
  operand->buffer = buffer;
  operand->type.lifetime = NNADAPTER_CONSTANT_COPY;
}

}  // namespace detail

// Turns every int8 operand with one scale into uint8 with zero point 128 (0 where softmax and
// sigmoid give only positive numbers) for devices that know no other. int32 and per-channel
// operands stay. The host's buffers stay int8: convert them in Run, into memory of your own.
inline void ConvertSymmToAsymm(core::Model* model) {
  SortOperations(model);
  for (core::Operand* operand : model->input_operands) detail::MakeAsymm(operand, 128);
  for (core::Operation& operation : model->operations) {
    for (core::Operand* input : operation.input_operands) {
      if (input) detail::MakeAsymm(input, 128);
    }
    const bool positive =
        operation.type == NNADAPTER_SOFTMAX || operation.type == NNADAPTER_SIGMOID;
    int32_t zero_point = positive ? 0 : 128;
    if (detail::KeepsElements(operation.type)) {
      const NNAdapterOperandType& from = Input(operation, 0).type;
      if (IsAsymmPerLayer(from.precision)) zero_point = ZeroPoint(from);
    }
    for (core::Operand* output : operation.output_operands) {
      if (output) detail::MakeAsymm(output, zero_point);
    }
  }
}

}  // namespace hal
}  // namespace nnadapter
