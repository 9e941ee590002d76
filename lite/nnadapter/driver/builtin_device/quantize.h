// Quantised operands: real = scale * (stored - zero_point), stored rounded half away from zero.
#pragma once

#include "lite/core/tensor.h"
#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {

// The real numbers of a quantised constant, as float32.
lite::Tensor DequantizeConstant(const core::Operand& operand);
// Emits the operators that turn stored numbers of `type` into float32; returns their value.
ValueId EmitDequantize(GraphBuilder* builder, ValueId stored, const NNAdapterOperandType& type);
// Emits the operators that turn float32 into stored numbers of `type`; returns their value.
ValueId EmitQuantize(GraphBuilder* builder, ValueId real, const NNAdapterOperandType& type);

}  // namespace nnadapter::builtin_device
