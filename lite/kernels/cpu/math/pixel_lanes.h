// Convolutions, plain and transposed ones, to few channels, which would leave most of a vector's
// lanes empty: lanes are pixels instead. A row of them is multiplied by the weights of all taps at
// once, and the products are added where they belong.
#pragma once

#include "lite/kernels/cpu/math/conv.h"

namespace paddle::lite::math {

// For constant weights. Neither depends on the image's size.
bool ConvLanesPay(const ConvShape& shape);
bool TransposeLanesPay(const ConvShape& shape);

// As PackConv and PackConvTranspose.
PackedConv PackConvLanes(const float* weights, const ConvShape& shape);
PackedConvTranspose PackTransposeLanes(const float* weights, const ConvShape& shape);

// As ConvNhwc and ConvTransposeNhwc.
void ConvLanes(int threads, const ConvShape& shape, const float* x, const PackedConv& weights,
               const Epilogue& epilogue, float* y);
void ConvTransposeLanes(int threads, const ConvShape& shape, const float* x,
                        const PackedConvTranspose& weights, const Epilogue& epilogue, float* y);

}  // namespace paddle::lite::math
