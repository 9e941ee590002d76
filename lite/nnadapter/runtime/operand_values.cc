// What operands hold: dimensions and precisions as texts, shapes that follow from the inputs.
#include <cstdlib>
#include <cstring>
#include <new>

#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

constexpr int32_t kUnknown = NNADAPTER_UNKNOWN;

void FreeTemporaryShape(void** handler) {
  std::free(*handler);
  *handler = nullptr;
}

}  // namespace

std::string DimsText(const Dims& dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i)
    text += (i ? ", " : "") + (dims[i] == kUnknown ? "?" : std::to_string(dims[i]));
  return text + "]";
}

const NNAdapterOperandDimensionType* TemporaryShapeOf(const core::Operand& operand) {
  return static_cast<const NNAdapterOperandDimensionType*>(
      operand.hints[NNADAPTER_HINT_TEMPORARY_SHAPE].handler);
}

void SetTemporaryShape(core::Operand* operand, const NNAdapterOperandDimensionType& shape) {
  core::Hint& hint = operand->hints[NNADAPTER_HINT_TEMPORARY_SHAPE];
  if (hint.handler == nullptr) {
    hint.handler = std::malloc(sizeof(shape));
    if (hint.handler == nullptr) throw std::bad_alloc();
    hint.deleter = &FreeTemporaryShape;
  }
  std::memcpy(hint.handler, &shape, sizeof(shape));
  if (operand->type.lifetime == NNADAPTER_TEMPORARY_VARIABLE)
    operand->type.lifetime = NNADAPTER_TEMPORARY_SHAPE;
}

size_t PrecisionSize(int32_t precision) {
  switch (precision) {
    case NNADAPTER_BOOL8:
    case NNADAPTER_INT8:
    case NNADAPTER_UINT8:
    case NNADAPTER_QUANT_INT8_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL:
    case NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER:
      return 1;
    case NNADAPTER_INT16:
    case NNADAPTER_UINT16:
    case NNADAPTER_FLOAT16:
    case NNADAPTER_QUANT_INT16_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT16_SYMM_PER_CHANNEL:
    case NNADAPTER_QUANT_UINT16_ASYMM_PER_LAYER:
      return 2;
    case NNADAPTER_INT32:
    case NNADAPTER_UINT32:
    case NNADAPTER_FLOAT32:
    case NNADAPTER_QUANT_INT32_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL:
    case NNADAPTER_QUANT_UINT32_ASYMM_PER_LAYER:
      return 4;
    case NNADAPTER_INT64:
    case NNADAPTER_UINT64:
    case NNADAPTER_FLOAT64:
      return 8;
    default:
      return 0;
  }
}

bool IsQuantized(int32_t precision) {
  return precision >= NNADAPTER_QUANT_INT8_SYMM_PER_LAYER &&
         precision <= NNADAPTER_QUANT_UINT32_ASYMM_PER_LAYER;
}

const char* PrecisionName(int32_t precision) {
  static constexpr const char* kNames[] = {"BOOL8",  "INT8",    "UINT8",   "INT16",
                                           "UINT16", "INT32",   "UINT32",  "INT64",
                                           "UINT64", "FLOAT16", "FLOAT32", "FLOAT64"};
  static constexpr const char* kQuantNames[] = {
      "QUANT_INT8_SYMM_PER_LAYER",  "QUANT_INT8_SYMM_PER_CHANNEL",  "QUANT_UINT8_ASYMM_PER_LAYER",
      "QUANT_INT16_SYMM_PER_LAYER", "QUANT_INT16_SYMM_PER_CHANNEL", "QUANT_UINT16_ASYMM_PER_LAYER",
      "QUANT_INT32_SYMM_PER_LAYER", "QUANT_INT32_SYMM_PER_CHANNEL", "QUANT_UINT32_ASYMM_PER_LAYER"};
  if (precision >= 0 && precision < 12) return kNames[precision];
  if (IsQuantized(precision)) return kQuantNames[precision - NNADAPTER_QUANT_INT8_SYMM_PER_LAYER];
  return "of an unknown precision";
}

}  // namespace nnadapter::runtime
