// Products of pixels with few weights, less than a vector of them: lanes are pixels instead, and
// what comes out is turned to the order of the output.
#pragma once

#include <cstdint>
#include <vector>

#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/packing.h"

namespace paddle::lite::math {

// Pixels that are transposed at once; with their channels they stay in L1 or near it.
constexpr int64_t kLanePixels = 192;

// Of room that MultiplyLanes needs.
int64_t LaneRoom(int64_t channels);

// sums[r * kLanePixels + p] = products of weights[r] and pixel p, which begins at x + p * stride.
// At most kLanePixels pixels.
void MultiplyLanes(const float* const* weights, int64_t rows, int64_t channels, const float* x,
                   int64_t stride, int64_t pixels, float* room, float* sums);

// The first `floats` elements of columns that are beside each other, y[p * stride + c] =
// x[c * ldx + p].
void Interleave(const float* x, int64_t ldx, int64_t columns, int64_t floats, float* y,
                int64_t stride);

// An epilogue whose bias and activation run on lanes, as rows of pixels, and the rest on the
// output.
class LaneEpilogue {
 public:
  // Row r of the lanes is the output's channel r % channels.
  LaneEpilogue(const Epilogue& epilogue, int64_t rows, int64_t channels);
  LaneEpilogue(const LaneEpilogue&) = delete;
  LaneEpilogue& operator=(const LaneEpilogue&) = delete;

  void RunOnLanes(int64_t rows, int64_t pixels, float* lanes, int64_t ld) const;
  // Whether more has to run, which may read y: it gets what is finished from beside it.
  bool HasMore() const { return more_.step_count > 0; }
  // As RunEpilogue, from column 0.
  void RunMore(int64_t pixels, int64_t channels, const float* x, float* y, int64_t ldy,
               int64_t first_pixel) const;

 private:
  std::vector<float> bias_;
  std::vector<EpilogueStep> own_;
  Epilogue more_;
};

// [row][channel] weights as they are multiplied: denormals are 0.
float WeightOfLanes(float weight);

}  // namespace paddle::lite::math
