#pragma once

#include <cstdint>

#include "lite/core/base/int8_limits.h"
#include "lite/kernels/cpu/math/conv.h"
#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/packing.h"
#include "lite/kernels/cpu/math/rounded_product.h"

namespace paddle::lite::math {

// How a real number becomes an integer: clip(round(factor * x), lowest, highest), or with
// `divides`, where ties go to even, round(x / factor). In 8 bits NaN becomes some integer.
struct Int8Rounding {
  float factor = 1;
  float lowest = -127, highest = 127;
  bool ties_to_even = false;  // else away from zero
  bool divides = false;
  int zero = 128;  // the byte without sign that stands for 0; no bound is beyond the other bytes
};

// The same integers as floats; where `bound` is not 0, times scale / bound. NaN stays NaN. For
// bounds of less than 2^16.
void RoundReals(const float* x, int64_t count, const Int8Rounding& how, float scale, float bound,
                float* out);

// The same integers as bytes without sign.
void RoundToBytes(const float* x, int64_t count, const Int8Rounding& how, uint8_t* out);

// out = (x - zero) * scale
void RealsOfBytes(const uint8_t* x, int64_t count, float scale, int zero, float* out);

// y[i] = table[x[i]], of 256 entries.
void MapBytes(const uint8_t* x, int64_t count, const uint8_t* table, uint8_t* y);

// Integer weights: panels of a few vectors of columns, in words of a few summands.
struct PackedInt8 : RoundedWeights {
  bool quads = false;         // words of four bytes, as rows are then; else of two int16
  int64_t block_columns = 0;  // with padding
  int64_t words = 0;          // of a segment
  int64_t block_bytes = 0;    // of a block, or of one of the matrices of patches
  AlignedFloats data;         // bytes
  AlignedFloats sums;         // of the weights of each column: block columns x blocks int32
  AlignedFloats excess_ends, excess_places, excess_words;  // as Excess; empty where there is none
};

// `weights` are OIHW: oc x (ic / groups) x kh x kw; for any size of the shape's images,
// which only chooses the algorithm.
PackedInt8 PackInt8Conv(const int8_t* weights, const ConvShape& shape);

// A K x N matrix with row stride N, or N x K with row stride K when `transposed`.
PackedInt8 PackInt8Matrix(int64_t k, int64_t n, const int8_t* b, bool transposed);

// Whether products with these are computed in AMX's tiles.
bool InTiles(const PackedInt8& weights);

// How reals become the integers of a product, and its sums reals.
struct Int8Scaling {
  Int8Rounding rounding;
  AlignedFloats scales;  // of each block's padded columns
  AlignedFloats start;   // int32 that their sums begin with
};

// A sum in channel c stands for step * scales[c] times the sum.
Int8Scaling ScaleInt8(const PackedInt8& weights, const Int8Rounding& rounding, float step,
                      const float* scales);

// y = epilogue(convolution of the rounded x) in NHWC; exact sums, one rounding to float, and to
// bytes where the epilogue rounds.
void ConvInt8(int threads, const ConvShape& shape, const RoundedInput& x, const PackedInt8& weights,
              const Int8Scaling& scaling, const Epilogue& epilogue, void* y);

// C[M][N] = epilogue(rounded A[M][K] * B), as Gemm; bytes where the epilogue rounds.
void GemmInt8(int threads, int64_t m, const RoundedInput& a, int64_t lda, const PackedInt8& b,
              const Int8Scaling& scaling, void* c, int64_t ldc, const Epilogue& epilogue);

}  // namespace paddle::lite::math
