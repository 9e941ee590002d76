#pragma once

#include <cstdint>

namespace paddle::lite::math {

// Images of fewer than 2^31 pixels, at least 2 x 2 if they are sampled between pixels.
struct GridImage {
  int64_t height = 0, width = 0;
  bool align_corners = false;
  bool border = false;  // positions are kept inside
};

// A coordinate in [-1, 1] as an element's position.
template <typename T>
T PositionOf(T at, int64_t size, bool align_corners) {
  return align_corners ? (at + 1) * T(0.5) * static_cast<T>(size - 1)
                       : ((at + 1) * static_cast<T>(size) - 1) * T(0.5);
}

// What points read: pixel `base` and those right of, below and right below it, or the nearest
// alone.
struct GridTaps {
  static constexpr int64_t kMost = 256;
  // All are pixels; only some are; none is. But for the first, `base` is 0 and no weight counts.
  enum Place : int32_t { kInside = -1, kEdge = 0, kOutside = 1 };
  alignas(64) int32_t base[kMost];
  alignas(64) int32_t place[kMost];
  alignas(64) float weights[4][kMost];
};

// `grid` has x and y in [-1, 1] of each point; count <= kMost.
void FindTaps(const GridImage& image, const float* grid, int64_t count, GridTaps* taps);
// The nearest pixel, of two as near the even one or the one that is farther from 0; no weights.
void FindNearest(const GridImage& image, bool even, const float* grid, int64_t count,
                 GridTaps* taps);

// A plane of the image at those points.
void SampleTaps(const GridImage& image, const float* plane, const GridTaps& taps, int64_t count,
                float* out);
void SampleNearest(const float* plane, const GridTaps& taps, int64_t count, float* out);

}  // namespace paddle::lite::math
