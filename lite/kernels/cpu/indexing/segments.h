// Tensors whose elements come from another one piece by piece along each axis: padding, rolling,
// flipping, slicing with strides.
#pragma once

#include <vector>

#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {

// out[to + i] = x[from + i * step] for i in [0, size) along one axis; a negative `from`: filled.
struct Segment {
  int64_t to, size, from, step;
};
using Segments = std::vector<Segment>;

// The axis as it is.
inline Segments WholeAxis(int64_t size) { return {{0, size, 0, 1}}; }

// Copies every combination of the axes' segments; x and out have any memory order. `fill` is the
// element for places without a source (null where there is none).
void CopySegments(const std::vector<Segments>& axes, const Tensor& x, Tensor& out, const void* fill,
                  int threads);

}  // namespace paddle::lite
