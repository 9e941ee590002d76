// What the normalisations that first add a bias and a residual share.
#pragma once

#include <cstdint>
#include <vector>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"

namespace paddle::lite {

// The first axis that is normalised together with those behind it, of attribute begin_norm_axis; -1
// is the last one. Throws ShapeError.
int BeginNormAxis(const InferContext& c);

// Throws unless x is float32 and the optional inputs bias, residual, norm_weight and norm_bias fit;
// `cols` is how many elements are normalised together.
void RequireNormInputs(const InferContext& c, int64_t cols);
// Throws LiteError where attribute quant_scale asks for an int8 output.
void RequireNoQuantizing(const InferContext& c);

// x + bias + alpha * residual. `room` holds it where x itself does not.
const float* AddBiasAndResidual(const KernelContext& c, int64_t cols, float alpha,
                                std::vector<float>* room);

// y[r][j] = x[r][j] / sqrt(mean of squares of row r + epsilon) * weight[j] + bias[j]; weight, bias
// and `inverse` (an output of `rows` values) may be null.
void RmsNorm(int64_t rows, int64_t cols, const float* x, const float* weight, const float* bias,
             float epsilon, float* y, float* inverse, int threads);

}  // namespace paddle::lite
