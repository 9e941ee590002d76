// What operations of several families share: checks of operands, lists of numbers that describe a
// shape.
#pragma once

#include <cstdint>
#include <optional>

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

// The check of operand fuse_code.
void CheckFuseCode(const InferContext& c);
// The precision INT32 or INT64 that operand `name` asks for; INT64 where it is absent.
int32_t IndexPrecision(const InferContext& c, const char* name);

constexpr int32_t kUnknown = NNADAPTER_UNKNOWN;

// The numbers of a Shape operand; as many NNADAPTER_UNKNOWN as it has elements where they are
// computed. Throws where even their count is not known.
inline Dims ShapeListOf(const InferContext& c, const char* name) {
  if (auto values = c.Values(name)) return *values;
  const Dims dims = c.DimsOf(name);
  c.Require(dims.size() <= 1, "operand ", name, " has shape ", DimsText(dims),
            ", expected a list of numbers");
  const int32_t count = dims.empty() ? 1 : dims[0];
  c.Require(count != kUnknown && count >= 0 && count <= NNADAPTER_MAX_SIZE_OF_DIMENSIONS * 2,
            "operand ", name, " is computed and has shape ", DimsText(dims),
            ", expected a known number of elements");
  return Dims(static_cast<size_t>(count), kUnknown);
}

// One dimension plus, or times, a number; NNADAPTER_UNKNOWN stays. Throws where it is no int32.
inline int32_t ToDim(const InferContext& c, int64_t dim) {
  c.Require(dim >= 0 && dim <= INT32_MAX, "a dimension of the output would be ", dim);
  return static_cast<int32_t>(dim);
}

// Passes the numbers of a list on where the output is a list or a scalar of as many.
inline void PassValues(InferContext& c, const char* input, const char* output, size_t rank) {
  if (rank > 1) return;
  if (const auto values = c.Values(input)) c.SetValues(output, *values);
}

// One number of a folded shape; NNADAPTER_UNKNOWN where the operation has no result.
using FoldFn = int64_t (*)(int64_t a, int64_t b);

// A number of a shape, or NNADAPTER_UNKNOWN where it does not fit into int32.
inline int32_t ShapeNumber(int64_t value) {
  return value > INT32_MIN && value <= INT32_MAX ? static_cast<int32_t>(value) : NNADAPTER_UNKNOWN;
}

}  // namespace nnadapter::runtime
