// What the two RESIZE operations share.
#pragma once

#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {

// shape, scales, align_corners; the input comes first.
void DeclareResize(OperationInfo& info);
void InferResize(InferContext& c);

}  // namespace nnadapter::runtime
