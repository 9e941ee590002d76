// A tensor as lines along one of its axes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lite/core/infer_context.h"
#include "lite/kernels/cpu/math/parallel_range.h"

namespace paddle::lite {

// x[outer][size][inner]: outer * inner lines, whose numbers are `inner` apart.
struct Lines {
  int64_t outer = 1, size = 1, inner = 1;

  int64_t count() const { return outer * inner; }
  // Where line i begins in a tensor whose lines have `length` numbers.
  int64_t Begin(int64_t i, int64_t length) const { return i / inner * length * inner + i % inner; }
};

// Along a canonical axis; a 0-D tensor is one line of one.
inline Lines LinesAlong(const DDim& dims, int axis) {
  if (dims.empty()) return {};
  return {dims.Count(0, axis), dims[axis], dims.Count(axis + 1, dims.size())};
}

// The dims without `axis`, or with 1 in its place.
inline DDim WithoutAxis(const DDim& dims, int axis, bool keep) {
  DDim out;
  for (int i = 0; i < dims.size(); ++i)
    if (i != axis || keep) out.push_back(i == axis ? 1 : dims[i]);
  return out;
}

// Calls body(begin, end) for ranges of lines.
template <typename Body>
void ParallelLines(int threads, const Lines& lines, Body&& body) {
  math::ParallelRange(threads, lines.count(),
                      math::kElementGrain / std::max<int64_t>(lines.size, 1) + 1, body);
}

}  // namespace paddle::lite
