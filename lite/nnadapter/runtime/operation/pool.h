// What average and max pooling share.
#pragma once

#include "lite/nnadapter/runtime/operation/window.h"

namespace nnadapter::runtime {

// input, auto_pad, pads, kernel_shape, strides, ceil_mode.
void DeclarePool(OperationInfo& info);
// Checks those and fuse_code; returns the output's dimensions.
Dims PoolDims(const InferContext& c);

// [N, C, output_shape] of an adaptive pooling.
Dims AdaptivePoolDims(const InferContext& c);

// The precision INT32 or INT64 that operand `name` asks for; INT64 where it is absent.
int32_t IndexPrecision(const InferContext& c, const char* name);

}  // namespace nnadapter::runtime
