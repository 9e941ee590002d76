#pragma once

#include <cstdint>

#include "lite/kernels/cpu/math/conv.h"

namespace paddle::lite::math {

// 3x3 convolutions of stride 1 by Winograd's minimal filtering F(2x2, 3x3) and F(4x4, 3x3): 2.25
// and 4 times fewer multiplications; rounding errors 1 and 3 times those of a direct convolution.
// Larger filters are sums of such: of a 9x9 one nine, each of which sees the input moved by 3. With
// a dilation every so many pixels are an image of their own.

// Whether convolutions like this one gain by it for images that are not small: it depends on the
// operator and its weights, not on n, ih, iw, oh and ow. The environment variable LITE_WINOGRAD=0,
// read once, makes it always false.
bool TakesWinograd(const ConvShape& shape);
bool WinogradSwitchedOff();

// The output tile (2 or 4) for this image: large tiles save multiplications, and cost weights to
// read and to keep, and digits.
int WinogradTile(const ConvShape& shape);

// How many times fewer multiplications.
double WinogradSaves(const ConvShape& shape, int tile);

// Whether weights packed for `tile` should also be kept for the direct convolution, since they are
// small and it is faster for small images: WinogradPays() tells for an image size.
bool WinogradKeepsDirect(const ConvShape& shape);
bool WinogradPays(const ConvShape& shape, int tile);

// Whether the direct convolution of this image is faster, in the CPU's tiles (tiles.h), and its
// weights should be the only ones: they are fewer.
bool DirectInTiles(const ConvShape& shape, int tile);

struct PackedWinograd {
  int tile = 0;
  bool cpu_tiles = false;     // of the matrices (tiles.h)
  int64_t matrix_floats = 0;  // of one of the (tile + 2)^2 matrices, parts of a filter x ic x oc
  AlignedFloats data;
};

// `weights` are OIHW: oc x ic x 3 x 3, or of the shape's filter; `tile` is 2 or 4. With a shape the
// matrices are in the CPU's tiles where that pays for its number of output tiles.
PackedWinograd PackWinograd(const float* weights, int64_t oc, int64_t ic, int tile, int threads = 1,
                            const ConvShape* shape = nullptr);

// As ConvNhwc.
void WinogradNhwc(int threads, const ConvShape& shape, const float* x,
                  const PackedWinograd& weights, const Epilogue& epilogue, float* y);

// The same with weights in integers (integer_weights.h), which are transformed in every run, panel
// by panel: that takes about as long as reading transformed ones from memory.
void WinogradIntegers(int threads, const ConvShape& shape, const float* x,
                      const PackedConv& integers, int tile, const Epilogue& epilogue, float* y);

}  // namespace paddle::lite::math
