// Programs with weights in integers, as Paddle Lite stores them, become float programs.
#pragma once

#include "lite/core/program_desc.h"

namespace paddle::lite {

// Whether RestoreFloats has anything to do.
bool HasQuantizedOps(const ProgramDesc& program);

// Weights of int8 and int16 become fp32 where an operator carries their scales: as
// `<weight>_quant_scale` (weight-only quantisation, one scale or one for each output channel), or
// as `Filter0_scale`, `W0_scale` or `Y0_scale` of an operator whose kernel computes in int8. Around
// the latter `calib` operators stand in for what its kernel does: int8 to fp32 in front, and fp32
// to int8 behind where the kernel's alias says that it returns int8. The same is done for operators
// of block 0 that have no kernels, but scales of inputs and outputs: those of a subgraph's block
// that the CPU runs because no device does.
//
// A weight of int8 stays where its operator reads an activation that is rounded to 8 bits: the
// operator gets the attributes of DeclareInt8 (kernels/cpu/int8.h) and the activation before that.
// It stays, too, as the weight of a product of matrices that reads floats.
// A program whose kernels compute in half precision computes in float32: the `calib` operators
// between the precisions become `assign`.
// Throws ModelFormatError where the scales do not fit the weight.
ProgramDesc RestoreFloats(const ProgramDesc& program, ParamTable* params);

}  // namespace paddle::lite
