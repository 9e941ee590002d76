// Checks of operands that operations of several families share.
#pragma once

#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {

// The precision of an operand's real numbers: FLOAT32 of a quantised one.
int32_t RealPrecision(const InferContext& c, const char* name);
// Throws Error unless the real numbers of both operands have one precision; an absent operand fits.
void RequireSameReal(const InferContext& c, const char* name, const char* like);
// Throws Error unless a present operand has `count` elements, where they are known.
void RequireCount(const InferContext& c, const char* name, int64_t count);
// Throws Error unless the dimensions are equal or one is unknown.
void RequireDim(const InferContext& c, int64_t found, int64_t expected, const char* what);
// The group operand, at least 1.
int64_t GroupOf(const InferContext& c, const char* name = "group");

// The precision INT32 or INT64 that operand `name` asks for; INT64 where it is absent.
int32_t IndexPrecision(const InferContext& c, const char* name);

}  // namespace nnadapter::runtime
