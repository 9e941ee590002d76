// What ARG_MAX and ARG_MIN share.
#pragma once

#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {

// input, axis, keepdim, dtype -> output.
void DeclareArgReduce(OperationInfo& info);

}  // namespace nnadapter::runtime
