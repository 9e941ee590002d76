#pragma once

#include <cstdint>

#include "lite/kernels/cpu/math/conv.h"
#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/packing.h"
#include "lite/kernels/cpu/math/rounded_product.h"

namespace paddle::lite::math {

// Products of operands that are rounded to bf16, the nearest number with 8 significant bits (ties
// to even; denormals become 0), with sums in fp32. The CPU's dot products of bf16 where
// HasBf16Dot() tells of them, else bf16 weights that are widened as they are read.

// Panels as PackedMatrix's, in words of two summands.
struct PackedBf16 : RoundedWeights {
  int64_t block_words = 0;
  AlignedFloats data;  // words
};

// `weights` are OIHW: oc x (ic / groups) x kh x kw.
PackedBf16 PackBf16Conv(const float* weights, int64_t oc, int64_t ic, int64_t kh, int64_t kw,
                        int64_t groups, bool dilated, int threads = 1);

// A K x N matrix with row stride ldb, or N x K when `transposed`.
PackedBf16 PackBf16Matrix(int64_t k, int64_t n, const float* b, int64_t ldb, bool transposed,
                          int threads = 1);

// As ConvNhwc, or ConvNchwInput when `nchw`.
void ConvBf16(int threads, const ConvShape& shape, const float* x, bool nchw,
              const PackedBf16& weights, const Epilogue& epilogue, float* y);

// As Gemm.
void GemmBf16(int threads, int64_t m, const float* a, int64_t lda, const PackedBf16& b, float* c,
              int64_t ldc, const Epilogue& epilogue);

}  // namespace paddle::lite::math
