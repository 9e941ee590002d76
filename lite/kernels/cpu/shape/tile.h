// tile and expand: whole repetitions of a tensor.
#pragma once

#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {

// Copies x to out, whose dimensions are multiples of x's (aligned at the last one).
void TileTo(const Tensor& x, Tensor& out, int threads);
// x.dims, with ones before it, times `repeats` (each at least `least`), with ones before them.
DDim TiledDims(const DDim& x, const std::vector<int64_t>& repeats, int64_t least);

}  // namespace paddle::lite
