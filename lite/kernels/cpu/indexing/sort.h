// Ordering along an axis: top_k, argsort, kthvalue, mode.
#pragma once

#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {

struct SortSpec {
  int axis = 0;
  bool descending = false;
};

template <typename T>
struct Ranked {
  T value;
  int64_t place;
};

// The order of sorting: NaN counts as the largest number, equals are in the order of their places.
template <typename T, bool kDescending>
bool Before(const Ranked<T>& a, const Ranked<T>& b) {
  const bool a_nan = a.value != a.value, b_nan = b.value != b.value;
  if (a_nan != b_nan) return kDescending ? a_nan : b_nan;
  if (a.value < b.value) return !kDescending;
  if (b.value < a.value) return kDescending;
  return a.place < b.place;
}

// The first Out.dims()[axis] elements of each line of X along the axis, in order, and their places.
// NaN counts as the largest number; equals keep their order.
void SortLines(const Tensor& x, const SortSpec& spec, Tensor& out, Tensor& indices, int threads);

}  // namespace paddle::lite
