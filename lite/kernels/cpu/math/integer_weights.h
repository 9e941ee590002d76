#pragma once

#include <cstdint>

#include "lite/kernels/cpu/math/conv.h"
#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/integer_groups.h"
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

// The right-hand matrix of a product in integers of 4 or 8 bits without sign that share their
// scales and zero points in blocks of a column.
struct PackedGroups {
  int bits = 4;
  int64_t rows = 0;      // of a block
  PackedMatrix words;    // K counts them
  PackedMatrix scales;   // K counts blocks
  PackedIntegers zeros;  // so as well, bytes; K is 0 where they are the middle of the integers
};

// What it is made of: N x blocks x bytes of a block, and blocks x N.
struct UnpackedGroups {
  int bits = 4;
  int64_t rows = 0, blocks = 0, n = 0;
  const uint8_t* integers = nullptr;
  const float* scales = nullptr;
  const uint8_t* zeros = nullptr;  // or null
};
PackedGroups PackGroups(const UnpackedGroups& b, int threads = 1);

IntegerGroups GroupsOf(const PackedGroups& b);  // as kernels read it

// As GemmIntegers, with A's rows side by side.
void GemmGroups(int threads, int64_t m, int64_t k, const float* a, const PackedGroups& b, float* c,
                const Epilogue& epilogue);

// Weights of a convolution of one group, OIHW, in integers of 8 bits with a scale for each output
// channel. ConvNhwc gives the same bits as with PackConv of the floats that they stand for.
PackedConv PackConvIntegers(const int8_t* weights, int64_t oc, int64_t ic, int64_t kh, int64_t kw,
                            const float* scales, int threads = 1);

}  // namespace paddle::lite::math
