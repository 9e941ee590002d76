// What operands hold: dimensions and precisions as texts, shapes that follow from the inputs.
#include <cstdlib>
#include <cstring>
#include <new>

#include "lite/nnadapter/runtime/operation.h"
#include "nnadapter/hal/precision.h"

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

size_t PrecisionSize(int32_t precision) { return hal::DescribePrecision(precision).size; }

bool IsQuantized(int32_t precision) {
  return precision >= NNADAPTER_QUANT_INT8_SYMM_PER_LAYER &&
         precision <= NNADAPTER_QUANT_UINT32_ASYMM_PER_LAYER;
}

const char* PrecisionName(int32_t precision) {
  const char* name = hal::DescribePrecision(precision).name;
  return name != nullptr ? name : "of an unknown precision";
}

}  // namespace nnadapter::runtime
