// Layer normalisation of fp32 rows.
#pragma once

#include <cstdint>

namespace paddle::lite::math {

// y[r][j] = (x[r][j] - mean(r)) / sqrt(variance(r) + epsilon) * scale[j] + bias[j]. scale, bias,
// mean and variance (outputs of `rows` values) may be null. y may be x.
void LayerNorm(int64_t rows, int64_t cols, const float* x, const float* scale, const float* bias,
               float epsilon, float* y, float* mean, float* variance, int threads);

}  // namespace paddle::lite::math
