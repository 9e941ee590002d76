#pragma once

#include <cstdint>

namespace paddle::lite::math {

struct PoolShape {
  int64_t n = 1, ih = 1, iw = 1, c = 1, oh = 1, ow = 1;
  int64_t kh = 1, kw = 1, sh = 1, sw = 1, pt = 0, pl = 0;
  int64_t x_pixel = 0, y_pixel = 0;  // floats between pixels; 0: c
  bool adaptive = false;             // windows from floor(i * ih / oh) to ceil((i + 1) * ih / oh)
};

// Over NHWC. A window reaches as far as oh and ow make it; what lies outside the input is left out.
// A window without any input gives -FLT_MAX. NaN stays NaN.
void MaxPoolNhwc(int threads, const PoolShape& shape, const float* x, float* y);
// Of bytes without sign; a window without any input gives 0.
void MaxPoolNhwc(int threads, const PoolShape& shape, const uint8_t* x, uint8_t* y);

// `exclusive` divides by the window's inputs; otherwise by its size, where the padding counts as
// far as pt below and pl to the right of the input, as in Paddle. A window without any input gives
// 0.
void AvgPoolNhwc(int threads, const PoolShape& shape, bool exclusive, const float* x, float* y);

// y[n][c] over all ih x iw pixels (at least one).
void GlobalMaxPoolNhwc(int threads, const PoolShape& shape, const float* x, float* y);
void GlobalAvgPoolNhwc(int threads, const PoolShape& shape, const float* x, float* y);

}  // namespace paddle::lite::math
