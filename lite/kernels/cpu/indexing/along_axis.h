// Elements picked along one axis by an index tensor: take_along_axis, put_along_axis, index_sample.
#pragma once

#include "lite/kernels/cpu/indexing/gather.h"

namespace paddle::lite {

// Checks that Index has X's rank and, but for `axis`, no larger dims; the names are for errors.
void RequireAlongAxis(const DDim& x, const char* x_slot, const TensorMeta& index, int axis);

// For each element of Index, in order, the element of X (by position) that it names. Indexes count
// from the end where they are negative; throws ShapeError for one outside [-size, size).
std::vector<int64_t> AlongAxis(const DDim& x, const Tensor& index, int axis);

// out[i] = x[positions[i]].
void TakeElements(const Tensor& x, const std::vector<int64_t>& positions, Tensor& out, int threads);

}  // namespace paddle::lite
