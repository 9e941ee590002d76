// Operands' types from those of Paddle's tensors, and back.
#pragma once

#include "lite/core/tensor.h"
#include "lite/kernels/nnadapter/nnadapter_api.h"

namespace paddle::lite::nnadapter_bridge {

// A tensor's operand type; a negative dimension is NNADAPTER_UNKNOWN. `scale` > 0: an int8 tensor
// is QUANT_INT8_SYMM_PER_LAYER (an int32 one QUANT_INT32_SYMM_PER_LAYER). Throws DeviceError for
// more than 8 dimensions or a dimension beyond int32. A 0-dim tensor has shape [1].
NNAdapterOperandType OperandTypeOf(const DDim& dims, DataType dtype, float scale = 0);
NNAdapterOperandPrecisionCode PrecisionOf(DataType dtype);
// The element type that holds operands of this precision; throws DeviceError for those without one.
DataType DataTypeOfPrecision(NNAdapterOperandPrecisionCode precision);
// The type of a list of `count` elements.
NNAdapterOperandType ListType(NNAdapterOperandPrecisionCode precision, size_t count);

}  // namespace paddle::lite::nnadapter_bridge
