// Reading operands: types, sizes, constants, and the operands of an operation by position.
#pragma once

#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "nnadapter/core/types.h"
#include "nnadapter/hal/error.h"
#include "nnadapter/hal/names.h"
#include "nnadapter/hal/positions.h"
#include "nnadapter/hal/precision.h"

namespace nnadapter {
namespace hal {

// Bytes of an element.
inline size_t PrecisionSize(int precision) {
  const size_t size = DescribePrecision(precision).size;
  if (size == 0)
    throw InvalidParameter(Text("elements of ", PrecisionName(precision), " have no size"));
  return size;
}

// Whether elements stand for scale * quantised (PER_LAYER or PER_CHANNEL).
inline bool IsSymmPerLayer(int precision) {
  return precision == NNADAPTER_QUANT_INT8_SYMM_PER_LAYER ||
         precision == NNADAPTER_QUANT_INT16_SYMM_PER_LAYER ||
         precision == NNADAPTER_QUANT_INT32_SYMM_PER_LAYER;
}
inline bool IsSymmPerChannel(int precision) {
  return precision == NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL ||
         precision == NNADAPTER_QUANT_INT16_SYMM_PER_CHANNEL ||
         precision == NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL;
}
inline bool IsAsymmPerLayer(int precision) {
  return precision == NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER ||
         precision == NNADAPTER_QUANT_UINT16_ASYMM_PER_LAYER ||
         precision == NNADAPTER_QUANT_UINT32_ASYMM_PER_LAYER;
}

inline std::vector<int32_t> Dims(const NNAdapterOperandType& type) {
  const uint32_t count = type.dimensions.count;
  if (count > NNADAPTER_MAX_SIZE_OF_DIMENSIONS)
    throw InvalidParameter(Text("an operand has ", count, " dimensions, expected at most 8"));
  return {type.dimensions.data, type.dimensions.data + count};
}

inline void SetDims(NNAdapterOperandType* type, const std::vector<int32_t>& dims) {
  if (dims.size() > NNADAPTER_MAX_SIZE_OF_DIMENSIONS)
    throw InvalidParameter(Text("an operand of ", dims.size(), " dimensions, expected at most 8"));
  type->dimensions = {};
  type->dimensions.count = static_cast<uint32_t>(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) type->dimensions.data[i] = dims[i];
}

inline std::string DimsText(const std::vector<int32_t>& dims) {
  std::string text = "[";
  for (int32_t d : dims)
    text += (text.size() > 1 ? "," : "") + (d == NNADAPTER_UNKNOWN ? "?" : std::to_string(d));
  return text + "]";
}

// For messages: FLOAT32[1,?,224].
inline std::string Describe(const NNAdapterOperandType& type) {
  return PrecisionName(type.precision) + DimsText(Dims(type));
}

inline bool HasUnknownDims(const NNAdapterOperandType& type) {
  for (int32_t d : Dims(type)) {
    if (d < 0) return true;
  }
  return false;
}

// How many elements; InvalidDimensions where a dimension is unknown.
inline int64_t ElementCount(const std::vector<int32_t>& dims) {
  int64_t count = 1;
  for (int32_t d : dims) {
    if (d < 0) throw InvalidDimensions(Text("unknown dimension in ", DimsText(dims)));
    if (d && count > INT64_MAX / 8 / d) throw InvalidParameter(Text("too big: ", DimsText(dims)));
    count *= d;
  }
  return count;
}
inline int64_t ElementCount(const NNAdapterOperandType& type) { return ElementCount(Dims(type)); }

inline bool IsConstant(const core::Operand& operand) {
  return operand.type.lifetime == NNADAPTER_CONSTANT_COPY ||
         operand.type.lifetime == NNADAPTER_CONSTANT_REFERENCE;
}

// The numbers of a shape that follows from the inputs' shapes, or null: UNKNOWN where one does.
inline const NNAdapterOperandDimensionType* ShapeHint(const core::Operand& operand) {
  if (operand.type.lifetime != NNADAPTER_TEMPORARY_SHAPE) return nullptr;
  return static_cast<const NNAdapterOperandDimensionType*>(
      operand.hints[NNADAPTER_HINT_TEMPORARY_SHAPE].handler);
}

// A constant's elements converted to T, or a temporary shape's numbers.
template <typename T>
std::vector<T> Values(const core::Operand& operand) {
  if (const auto* hint = ShapeHint(operand)) {
    std::vector<T> numbers;
    for (uint32_t i = 0; i < hint->count && i < NNADAPTER_MAX_SIZE_OF_DIMENSIONS; ++i)
      numbers.push_back(static_cast<T>(hint->data[i]));
    return numbers;
  }
  if (!IsConstant(operand))
    throw NotSupported(Text("expected a constant, found ", Describe(operand.type)));
  const size_t count = static_cast<size_t>(ElementCount(operand.type));
  if (count * PrecisionSize(operand.type.precision) > operand.length || (count && !operand.buffer))
    throw InvalidParameter(
        Text("a constant ", Describe(operand.type), " of ", operand.length, " bytes is too short"));
  const auto convert = [&](auto element) {
    std::vector<T> values(count);
    for (size_t i = 0; i < count; ++i) {
      std::memcpy(&element, static_cast<const char*>(operand.buffer) + i * sizeof(element),
                  sizeof(element));
      values[i] = static_cast<T>(element);
    }
    return values;
  };
  switch (static_cast<int>(operand.type.precision)) {
    case NNADAPTER_BOOL8:
    case NNADAPTER_UINT8:
    case NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER:
      return convert(uint8_t());
    case NNADAPTER_INT8:
    case NNADAPTER_QUANT_INT8_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL:
      return convert(int8_t());
    case NNADAPTER_INT16:
    case NNADAPTER_QUANT_INT16_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT16_SYMM_PER_CHANNEL:
      return convert(int16_t());
    case NNADAPTER_UINT16:
    case NNADAPTER_QUANT_UINT16_ASYMM_PER_LAYER:
      return convert(uint16_t());
    case NNADAPTER_INT32:
    case NNADAPTER_QUANT_INT32_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL:
      return convert(int32_t());
    case NNADAPTER_UINT32:
    case NNADAPTER_QUANT_UINT32_ASYMM_PER_LAYER:
      return convert(uint32_t());
    case NNADAPTER_INT64:
      return convert(int64_t());
    case NNADAPTER_UINT64:
      return convert(uint64_t());
    case NNADAPTER_FLOAT32:
      return convert(float());
    case NNADAPTER_FLOAT64:
      return convert(double());
    default:
      throw NotSupported(Text("reading a constant ", Describe(operand.type)));
  }
}

// A constant's first element converted to T.
template <typename T>
T Scalar(const core::Operand& operand) {
  const std::vector<T> values = Values<T>(operand);
  if (values.empty()) throw InvalidParameter("expected a scalar, found a constant of no elements");
  return values[0];
}

// An input of an operation, or null where it is absent; negative positions count from the end.
inline core::Operand* InputOrNull(const core::Operation& operation, int position) {
  const int count = static_cast<int>(operation.input_operands.size());
  const int at = position < 0 ? count + position : position;
  return at >= 0 && at < count ? operation.input_operands[at] : nullptr;
}

inline core::Operand& Input(const core::Operation& operation, int position) {
  core::Operand* operand = InputOrNull(operation, position);
  if (!operand)
    throw InvalidParameter(Text(OperationName(operation.type), " lacks input ", position));
  return *operand;
}

inline core::Operand& Output(const core::Operation& operation, int position = 0) {
  const int count = static_cast<int>(operation.output_operands.size());
  if (position < 0 || position >= count || !operation.output_operands[position])
    throw InvalidParameter(Text(OperationName(operation.type), " lacks output ", position));
  return *operation.output_operands[position];
}

// An input that is a constant: all its elements, or the first. Fails naming the operation.
template <typename T>
std::vector<T> Values(const core::Operation& operation, int position) {
  try {
    return Values<T>(Input(operation, position));
  } catch (const Error& e) {
    throw Error(e.code, Text(OperationName(operation.type), " input ", position, ": ", e.what()));
  }
}
template <typename T>
T Scalar(const core::Operation& operation, int position) {
  const std::vector<T> values = Values<T>(operation, position);
  if (values.empty())
    throw InvalidParameter(Text(OperationName(operation.type), " input ", position, " is empty"));
  return values[0];
}

// As above; `absent` where the operand is absent.
template <typename T>
T ScalarOr(const core::Operation& operation, int position, T absent) {
  return InputOrNull(operation, position) ? Scalar<T>(operation, position) : absent;
}

// The activation that an operation applies to its result; NONE for one that has none.
inline int FuseCodeOf(const core::Operation& operation) {
  const int position = FuseCodePosition(operation.type);
  return position < 0 ? NNADAPTER_FUSED_NONE
                      : ScalarOr<int>(operation, position, NNADAPTER_FUSED_NONE);
}

}  // namespace hal
}  // namespace nnadapter
