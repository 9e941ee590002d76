// Permutations of axes: general, and between NCHW and NHWC.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lite/kernels/cpu/math/isa.h"

namespace paddle::lite::math {

// y = x with permuted axes: axis i of y is axis perm[i] of x. `dims` are x's, rank is 0 to 9,
// elements have 1, 2, 4, 8 or 16 bytes. x and y must not overlap.
void Permute(const void* x, void* y, int rank, const int64_t* dims, const int* perm,
             size_t element_size, int threads);

// [n, c, hw] -> [n, hw, c] and back.
void NchwToNhwc(const float* x, float* y, int64_t n, int64_t c, int64_t hw, int threads);
void NhwcToNchw(const float* x, float* y, int64_t n, int64_t c, int64_t hw, int threads);

struct TransposeTable {
  // y[c * ldy + r] = x[r * ldx + c] for 4-byte elements.
  void (*transpose)(int64_t rows, int64_t cols, const uint32_t* x, int64_t ldx, uint32_t* y,
                    int64_t ldy);
};
LITE_ISA_DECLARE(TransposeTable, kTransposeTable)

}  // namespace paddle::lite::math
