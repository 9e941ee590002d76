// Convolution to few channels, which would leave most of a vector's lanes empty: a pixel is
// multiplied by the weights of all taps at once, lanes being pixels, and the products are added
// where they belong.
#pragma once

#include "lite/kernels/cpu/math/conv.h"

namespace paddle::lite::math {

// For constant weights. It does not depend on the image's size.
bool ConvLanesPay(const ConvShape& shape);

// As PackConv.
PackedConv PackConvLanes(const float* weights, const ConvShape& shape);

// As ConvNhwc.
void ConvLanes(int threads, const ConvShape& shape, const float* x, const PackedConv& weights,
               const Epilogue& epilogue, float* y);

}  // namespace paddle::lite::math
