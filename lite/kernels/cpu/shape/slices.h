// Volumes [channels, depth, height, width] as slices [height, width, channels], one behind the
// other.
#pragma once

#include <cstdint>
#include <functional>

#include "lite/core/dim.h"

namespace paddle::lite {

// Their sizes; `plane` is height x width.
struct Slices {
  int64_t depth, channels, plane;
  int64_t floats() const { return channels * plane; }
  int64_t all() const { return depth * floats(); }
};

// Of each volume of a batch.
Slices SlicesOf(const DDim& dims);

// Where a slice stands among the others.
using SlicePlace = std::function<int64_t(int64_t slice)>;

// One volume to slices, and back. x and y must not overlap.
void ToSlices(int threads, const Slices& s, const SlicePlace& place, const float* x, float* y);
void FromSlices(int threads, const Slices& s, const SlicePlace& place, const float* x, float* y);

}  // namespace paddle::lite
