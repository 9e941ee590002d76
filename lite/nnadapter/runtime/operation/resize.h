// What the two RESIZE operations share.
#pragma once

#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {

// input, shape, scales, align_corners.
void DeclareResize(OperationInfo& info);
void InferResize(InferContext& c);

}  // namespace nnadapter::runtime
