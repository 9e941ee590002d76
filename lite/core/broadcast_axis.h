// The attribute `axis` of Paddle's elementwise operators.
#pragma once

#include <algorithm>
#include <cstdint>

namespace paddle::lite {

// Where the first of an operand's `own` dims stands among `rank` dims, at least as many. With as
// many the attribute means nothing; -1 aligns the last ones.
constexpr int64_t BroadcastPosition(int64_t own, int64_t rank, int64_t axis) {
  if (own == rank) return 0;
  return axis < 0 ? rank - own : std::min(axis, rank);
}

}  // namespace paddle::lite
