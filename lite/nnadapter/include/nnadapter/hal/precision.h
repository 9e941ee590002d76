// Element types by their code: names and sizes.
#pragma once

#include <cstddef>

#include "nnadapter/nnadapter.h"

namespace nnadapter {
namespace hal {

struct PrecisionInfo {
  const char* name;
  size_t size;  // bytes of an element
};

// A null name and 0 bytes for an unknown code. A switch, as libraries of other releases of this kit
// would share a static table.
inline PrecisionInfo DescribePrecision(int precision) {
  switch (precision) {
    case NNADAPTER_BOOL8:
      return {"BOOL8", 1};
    case NNADAPTER_INT8:
      return {"INT8", 1};
    case NNADAPTER_UINT8:
      return {"UINT8", 1};
    case NNADAPTER_INT16:
      return {"INT16", 2};
    case NNADAPTER_UINT16:
      return {"UINT16", 2};
    case NNADAPTER_INT32:
      return {"INT32", 4};
    case NNADAPTER_UINT32:
      return {"UINT32", 4};
    case NNADAPTER_INT64:
      return {"INT64", 8};
    case NNADAPTER_UINT64:
      return {"UINT64", 8};
    case NNADAPTER_FLOAT16:
      return {"FLOAT16", 2};
    case NNADAPTER_FLOAT32:
      return {"FLOAT32", 4};
    case NNADAPTER_FLOAT64:
      return {"FLOAT64", 8};
    case NNADAPTER_QUANT_INT8_SYMM_PER_LAYER:
      return {"QUANT_INT8_SYMM_PER_LAYER", 1};
    case NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL:
      return {"QUANT_INT8_SYMM_PER_CHANNEL", 1};
    case NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER:
      return {"QUANT_UINT8_ASYMM_PER_LAYER", 1};
    case NNADAPTER_QUANT_INT16_SYMM_PER_LAYER:
      return {"QUANT_INT16_SYMM_PER_LAYER", 2};
    case NNADAPTER_QUANT_INT16_SYMM_PER_CHANNEL:
      return {"QUANT_INT16_SYMM_PER_CHANNEL", 2};
    case NNADAPTER_QUANT_UINT16_ASYMM_PER_LAYER:
      return {"QUANT_UINT16_ASYMM_PER_LAYER", 2};
    case NNADAPTER_QUANT_INT32_SYMM_PER_LAYER:
      return {"QUANT_INT32_SYMM_PER_LAYER", 4};
    case NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL:
      return {"QUANT_INT32_SYMM_PER_CHANNEL", 4};
    case NNADAPTER_QUANT_UINT32_ASYMM_PER_LAYER:
      return {"QUANT_UINT32_ASYMM_PER_LAYER", 4};
    default:
      return {nullptr, 0};
  }
}

}  // namespace hal
}  // namespace nnadapter
