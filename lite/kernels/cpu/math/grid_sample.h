#pragma once

#include <cstdint>

namespace paddle::lite::math {

// Images that are sampled between pixels: at least 2 x 2, fewer than 2^31 pixels.
struct LinearGrid {
  int64_t height = 0, width = 0;
  bool align_corners = false;
  bool border = false;  // positions are kept inside
};

// What points read: pixel `base` and those right of, below and right below it.
struct LinearTaps {
  static constexpr int64_t kMost = 256;
  alignas(64) int32_t base[kMost];
  alignas(64) int32_t inside[kMost];  // 0: not all four are pixels; `base` is 0, no weight counts
  alignas(64) float weights[4][kMost];
};

// `grid` has x and y in [-1, 1] of each point; count <= kMost.
void FindTaps(const LinearGrid& image, const float* grid, int64_t count, LinearTaps* taps);

// A plane of the image at those points.
void SampleTaps(const LinearGrid& image, const float* plane, const LinearTaps& taps, int64_t count,
                float* out);

}  // namespace paddle::lite::math
