// Ordering along an axis: top_k, argsort, kthvalue, mode.
#pragma once

#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {

// Which of equal elements come first: those of smaller places, or those that Paddle's kernels leave
// there, on whose order programs have come to depend.
enum class Ties { kInPlace, kAsArgsort, kAsTopK };

struct SortSpec {
  int axis = 0;
  bool descending = false;
  Ties ties = Ties::kInPlace;
};

template <typename T>
struct Ranked {
  T value;
  int64_t place;
};

// The order of values: NaN counts as the largest number.
template <typename T, bool kDescending>
bool Precedes(const Ranked<T>& a, const Ranked<T>& b) {
  const bool a_nan = a.value != a.value, b_nan = b.value != b.value;
  if (a_nan || b_nan) return a_nan != b_nan && (kDescending ? a_nan : b_nan);
  return kDescending ? b.value < a.value : a.value < b.value;
}

// The order of sorting: equals are in the order of their places.
template <typename T, bool kDescending>
bool Before(const Ranked<T>& a, const Ranked<T>& b) {
  if (Precedes<T, kDescending>(a, b)) return true;
  return !Precedes<T, kDescending>(b, a) && a.place < b.place;
}

// The first Out.dims()[axis] elements of each line of X along the axis, in order, and their places.
// NaN counts as the largest number.
void SortLines(const Tensor& x, const SortSpec& spec, Tensor& out, Tensor& indices, int threads);

}  // namespace paddle::lite
