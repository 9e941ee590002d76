// Lists of numbers that describe a shape.
#pragma once

#include <optional>

#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {

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

}  // namespace nnadapter::runtime
