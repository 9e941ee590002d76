// What reductions share.
#pragma once

#include <functional>

#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {

// input, axes, keepdim -> output. `fold` joins two numbers of a shape; null: shapes are not folded.
std::function<void(OperationInfo&)> Reduction(FoldFn fold);

}  // namespace nnadapter::runtime
