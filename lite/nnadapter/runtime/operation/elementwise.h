// What elementwise operations share: operands, numpy broadcasting and the folding of shapes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {

// One number of a folded shape; NNADAPTER_UNKNOWN where the operation has no result.
using FoldFn = int64_t (*)(int64_t a, int64_t b);

// The check of operand fuse_code.
void CheckFuseCode(const InferContext& c);

// Sets the values of `output` where both operands are numbers of a shape.
void FoldPair(InferContext& c, const char* a, const char* b, const char* output, FoldFn fold);

// A number of a shape, or NNADAPTER_UNKNOWN where it does not fit into int32.
inline int32_t ShapeNumber(int64_t value) {
  return value > INT32_MIN && value <= INT32_MAX ? static_cast<int32_t>(value) : NNADAPTER_UNKNOWN;
}

}  // namespace nnadapter::runtime
