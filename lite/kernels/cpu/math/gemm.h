#pragma once

#include <cstdint>

#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/packing.h"

namespace paddle::lite::math {

// C[M][N] = epilogue(A[M][K] * B). Row strides lda and ldc in floats; K, M or N may be 0. C must
// not overlap A. The result does not depend on `threads`.
void Gemm(int threads, int64_t m, int64_t n, int64_t k, const float* a, int64_t lda,
          const PackedMatrix& b, float* c, int64_t ldc, const Epilogue& epilogue);

// A batch of products whose right-hand sides are not known beforehand.
struct MatMul {
  int64_t batch = 1, m = 0, n = 0, k = 0;
  const float* a = nullptr;  // M x K, or K x M when transpose_a
  int64_t lda = 0, batch_a = 0;
  bool transpose_a = false;
  const float* b = nullptr;  // K x N, or N x K when transpose_b
  int64_t ldb = 0, batch_b = 0;
  bool transpose_b = false;
  float* c = nullptr;
  int64_t ldc = 0, batch_c = 0;
};

// C = epilogue(A * B) for each of the batch. The steps' rows count through the whole batch, so that
// rows_per_image = m makes each product an image.
void GemmUnpacked(int threads, const MatMul& mm, const Epilogue& epilogue);

}  // namespace paddle::lite::math
