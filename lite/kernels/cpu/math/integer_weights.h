#pragma once

#include <cstdint>

#include "lite/kernels/cpu/math/conv.h"
#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/packing.h"

namespace paddle::lite::math {

// The right-hand matrix of a product in integers of 8 bits, which stand for themselves times a
// scale for each column. Products read them as the floats that they stand for, and give the same
// bits as PackedMatrix of those.
struct PackedIntegers {
  Isa isa = Isa();  // it can only be used with this instruction set
  int64_t k = 0, n = 0;
  AlignedFloats data;    // bytes, in panels as PackedMatrix's floats
  AlignedFloats scales;  // of each column, with padding
};

// b is K x N with row stride N, or N x K with row stride K when `transposed`.
PackedIntegers PackIntegers(int64_t k, int64_t n, const int8_t* b, bool transposed,
                            const float* scales, int threads = 1);

// C[M][N] = epilogue(A[M][K] * B), as Gemm.
void GemmIntegers(int threads, int64_t m, const float* a, int64_t lda, const PackedIntegers& b,
                  float* c, int64_t ldc, const Epilogue& epilogue);

// Weights of a convolution of one group, OIHW, in integers of 8 bits with a scale for each output
// channel. ConvNhwc gives the same bits as with PackConv of the floats that they stand for.
PackedConv PackConvIntegers(const int8_t* weights, int64_t oc, int64_t ic, int64_t kh, int64_t kw,
                            const float* scales, int threads = 1);

}  // namespace paddle::lite::math
