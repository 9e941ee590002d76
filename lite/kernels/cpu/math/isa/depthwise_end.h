#pragma once

// How rows of depthwise convolutions end that microkernels left as reals.

#include "lite/kernels/cpu/math/isa/round_steps.h"
#include "lite/kernels/cpu/math/isa/steps.h"

namespace paddle::lite::math::LITE_ISA {

// Pixels of the result, of which the first is its row first_row; the first channel is its column
// first_column.
struct DepthwisePixels {
  int64_t count = 0, channels = 0;
  int64_t first_row = 0, first_column = 0;
  float* y = nullptr;
  uint8_t* bytes = nullptr;  // in the place of y, where the epilogue rounds
  int64_t y_pixel = 0;
};

// `x` are their reals, side by side, which may be what y is.
static inline void EndPixels(const Epilogue& e, bool act_done, const DepthwisePixels& p, float* x) {
  // Steps end where the results are, or where those are rounded from.
  float* const y = e.rounding == nullptr ? p.y : x;
  const int64_t y_pixel = e.rounding == nullptr ? p.y_pixel : p.channels;
  if (!act_done) {
    EpilogueStep act;
    act.act = e.act;
    const bool last = e.step_count == 0;
    RunSteps(p.count, p.channels, x, p.channels, last ? y : x, last ? y_pixel : p.channels, &act, 1,
             0, 0, 0);
  }
  if (e.step_count > 0)
    RunSteps(p.count, p.channels, x, p.channels, y, y_pixel, e.steps, e.step_count,
             e.rows_per_image, p.first_row, p.first_column);
  if (e.rounding != nullptr)
    RoundBlock(p.count, p.channels, x, p.channels, *e.rounding, p.bytes, p.y_pixel);
}

}  // namespace paddle::lite::math::LITE_ISA
