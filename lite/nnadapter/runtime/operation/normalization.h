// What the normalisations share.
#pragma once

#include <cmath>
#include <initializer_list>

#include "lite/nnadapter/runtime/operation/conv.h"

namespace nnadapter::runtime {

// Throws Error unless input is [N, C, ...] of at least `rank` dimensions.
inline void RequireChannels(const InferContext& c, int rank) {
  c.Require(c.Rank("input") >= rank, "input has shape ", DimsText(c.DimsOf("input")),
            ", expected [N, C, ...] of rank ", rank, " or more");
}

// Throws Error unless the operands that are present have `count` elements of input's type, and
// epsilon is a number of at least 0.
inline void CheckParameters(const InferContext& c, std::initializer_list<const char*> names,
                            int64_t count) {
  for (const char* name : names) {
    RequireCount(c, name, count);
    RequireSameReal(c, name, "input");
  }
  const float epsilon = c.Float("epsilon");
  c.Require(std::isfinite(epsilon) && epsilon >= 0, "epsilon is ", epsilon,
            ", expected a number of at least 0");
}

}  // namespace nnadapter::runtime
