// Means and variances for the normalisation operators, fp32 with double sums.
#pragma once

#include <cstdint>

#include "lite/kernels/cpu/math/isa.h"

namespace paddle::lite::math {

// Mean and (population) variance of each row of x[rows][cols].
void RowMoments(int64_t rows, int64_t cols, const float* x, float* mean, float* variance,
                int threads);

// sums[j] = sum over the rows of x[r][j], or of (x[r][j] - center[j])^2 where center is not null.
void ColumnSums(int64_t rows, int64_t cols, const float* x, const float* center, double* sums,
                int threads);

struct MomentsTable {
  void (*rows)(int64_t rows, int64_t cols, const float* x, float* mean, float* variance);
  // sums[j] += sum over rows of x[r][j], or of (x[r][j] - center[j])^2 where center is given.
  void (*columns)(int64_t rows, int64_t cols, const float* x, const float* center, double* sums);
  // y[r][j] = (x[r][j] - mean) / sqrt(variance + epsilon) * scale[j] + bias[j] with the moments of
  // the row, which are stored where mean and variance are not null. scale and bias may be null.
  void (*layer_norm)(int64_t rows, int64_t cols, const float* x, const float* scale,
                     const float* bias, float epsilon, float* y, float* mean, float* variance);
};
LITE_ISA_DECLARE(MomentsTable, kMomentsTable)

}  // namespace paddle::lite::math
