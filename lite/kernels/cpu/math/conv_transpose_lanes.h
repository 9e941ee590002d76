// Transposed convolution to few channels: a kernel that equals the stride, its columns less than a
// vector, so that lanes are input pixels instead.
#pragma once

#include "lite/kernels/cpu/math/conv.h"

namespace paddle::lite::math {

// For a shape whose kernel equals its stride, without padding, dilation and groups.
bool PixelLanesPay(const ConvShape& shape);

void PackPixelLanes(const float* weights, const ConvShape& shape, PackedConvTranspose* packed);

// As ConvTransposeNhwc.
void ConvTransposePixelLanes(int threads, const ConvShape& shape, const float* x,
                             const PackedConvTranspose& weights, const Epilogue& epilogue,
                             float* y);

}  // namespace paddle::lite::math
