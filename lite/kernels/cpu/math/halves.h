#pragma once

#include <cstdint>

#include "lite/core/base/weight_memory.h"
#include "lite/kernels/cpu/math/conv.h"
#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/packing.h"
#include "lite/kernels/cpu/math/rounded_product.h"

namespace paddle::lite::math {

// Products of operands that are rounded to 16 bits, to the nearest number with ties to even.
//
// bf16: 8 significant bits, denormals become 0. Sums are fp32: the CPU's dot products of bf16 where
// HasBf16Dot() tells of them, else weights that are widened as they are read.
//
// fp16: 11 significant bits; numbers from 65520 on are infinite. Weights are widened as they are
// read and sums are fp32; where HasFp16Arithmetic() tells of it, products and the sums of at most
// kFp16Summands of them are fp16.
constexpr int64_t kFp16Summands = 71;

// Panels as PackedMatrix's, in words of two summands.
struct PackedHalves : RoundedWeights {
  WeightPrecision precision = WeightPrecision::kBf16;
  int64_t block_words = 0;
  AlignedFloats data;  // words
};

// Whether the CPU computes twice as many products of these as of fp32.
bool FasterInHalves(WeightPrecision precision);

// `weights` are OIHW: oc x (ic / groups) x kh x kw.
PackedHalves PackHalvesConv(WeightPrecision precision, const float* weights, int64_t oc, int64_t ic,
                            int64_t kh, int64_t kw, int64_t groups, bool dilated, int threads = 1);

// A K x N matrix with row stride ldb, or N x K when `transposed`.
PackedHalves PackHalvesMatrix(WeightPrecision precision, int64_t k, int64_t n, const float* b,
                              int64_t ldb, bool transposed, int threads = 1);

// As ConvNhwc, or ConvNchwInput when `nchw`.
void ConvHalves(int threads, const ConvShape& shape, const float* x, bool nchw,
                const PackedHalves& weights, const Epilogue& epilogue, float* y);

// As Gemm.
void GemmHalves(int threads, int64_t m, const float* a, int64_t lda, const PackedHalves& b,
                float* c, int64_t ldc, const Epilogue& epilogue);

}  // namespace paddle::lite::math
