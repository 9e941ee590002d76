#pragma once

#include <cstdint>

#include "lite/kernels/cpu/math/conv.h"

namespace paddle::lite::math {

// 3x3 convolutions of stride 1 by Winograd's minimal filtering F(2x2, 3x3) and F(4x4, 3x3): 2.25
// and 4 times fewer multiplications; rounding errors about 2 times those of the direct convolution.

// The output tile (2 or 4) that is expected to be fastest, or 0 where the direct convolution is or
// the shape does not fit. The environment variable LITE_WINOGRAD=0, read once, makes it always 0.
int WinogradTile(const ConvShape& shape);

struct PackedWinograd {
  int tile = 0;
  int64_t matrix_floats = 0;  // of one of the (tile + 2)^2 matrices ic x oc
  AlignedFloats data;
};

// `weights` are OIHW: oc x ic x 3 x 3; `tile` is 2 or 4.
PackedWinograd PackWinograd(const float* weights, int64_t oc, int64_t ic, int tile);

// As ConvNhwc.
void WinogradNhwc(int threads, const ConvShape& shape, const float* x,
                  const PackedWinograd& weights, const Epilogue& epilogue, float* y);

}  // namespace paddle::lite::math
