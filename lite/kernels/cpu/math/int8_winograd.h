#pragma once

#include <cstdint>

#include "lite/kernels/cpu/math/conv.h"

namespace paddle::lite::math {

// 3x3 convolutions of stride 1 in integers by Winograd's F(2x2, 3x3): 2.25 times fewer products,
// and exact, since filters are transformed to 4 times what they are, and so are the sums. It wants
// 16 bits, which is as fast as the direct form where there are no dot products of bytes.

// Whether convolutions like this one gain by it, by what does not depend on n, ih, iw, oh and ow.
bool TakesInt8Winograd(const ConvShape& shape);

// Whether images of this size have enough tiles for the matrices, which are three to seven times as
// large as the weights are otherwise: else reading them is what takes long.
bool Int8WinogradPays(const ConvShape& shape);

constexpr int kPatchMatrices = 16;

// The 3 x 3 taps of one filter to what 16 matrices have of it, times 4.
void TransformTaps(const int8_t* taps, int* matrices);

// Some lines of an image that is rounded to int16, with padding, and those of the result.
struct PatchStrip {
  const char* const* lines = nullptr;  // where the input of each line of the result begins
  int64_t line_bytes = 0, pixel_bytes = 0;
  int64_t channels = 0;
  int64_t count = 0;      // lines of the result
  int64_t width = 0;      // pixels of one
  int64_t first_row = 0;  // of the first pixel in the result
};

// `block` has what all patches share.
struct PatchBlock;
void RunPatchStrip(const PatchStrip& strip, const PatchBlock& block);

}  // namespace paddle::lite::math
