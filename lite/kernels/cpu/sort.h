// Ordering along an axis: top_k and argsort.
#pragma once

#include "lite/kernels/cpu/data_movement.h"

namespace paddle::lite {

struct SortSpec {
  int axis = 0;
  bool descending = false;
};

// The first Out.dims()[axis] elements of each line of X along the axis, in order, and their places.
// NaN counts as the largest number; equals keep their order.
void SortLines(const Tensor& x, const SortSpec& spec, Tensor& out, Tensor& indices, int threads);

}  // namespace paddle::lite
