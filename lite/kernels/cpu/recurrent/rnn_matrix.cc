#include "lite/kernels/cpu/recurrent/rnn_matrix.h"

#include <algorithm>
#include <cmath>

#include "lite/core/base/errors.h"
#include "lite/kernels/cpu/quantised/dynamic_product.h"

namespace paddle::lite {

SteppedMatrix::SteppedMatrix(const Tensor& weight, const float* row_scales) {
  const int64_t n = weight.dims()[0], k = weight.dims()[1];
  const auto* from = weight.data<float>();
  std::vector<int8_t> whole(static_cast<size_t>(n * k));
  scales.assign(row_scales, row_scales + n);
  zeros.assign(static_cast<size_t>(n), 0.0f);
  for (int64_t j = 0; j < n; ++j) {
    const auto step = [&](int64_t i) { return std::nearbyint(from[j * k + i] / row_scales[j]); };
    float low = 0, high = 0;
    for (int64_t i = 0; i < k; ++i) {
      low = std::min(low, step(i));
      high = std::max(high, step(i));
      if (!(high - low <= 255) || std::isnan(from[j * k + i]))
        throw LiteError(StrCat("row ", j, " of a weight holds ", from[j * k + i],
                               ", which is not within 256 steps of ", row_scales[j],
                               " (attribute int8_weight_scales)"));
    }
    const float move = low < -128 || high > 127 ? low + 128 : 0;
    zeros[static_cast<size_t>(j)] = -move;
    for (int64_t i = 0; i < k; ++i)
      whole[static_cast<size_t>(j * k + i)] = static_cast<int8_t>(step(i) - move);
  }
  if (std::all_of(zeros.begin(), zeros.end(), [](float zero) { return zero == 0; })) zeros.clear();
  bytes = math::PackInt8Matrix(k, n, whole.data(), /*transposed=*/true);
}

void RnnMatrix::Multiply(int threads, int64_t rows, const float* a, float* c, int64_t ldc,
                         const math::Epilogue& epilogue) const {
  if (reals != nullptr)
    return math::Gemm(threads, rows, reals->n, reals->k, a, reals->k, *reals, c, ldc, epilogue);
  const float* const zeros = steps->zeros.empty() ? nullptr : steps->zeros.data();
  DynamicProduct{steps->bytes, steps->scales.data(), zeros}.Run(threads, rows, a, c, ldc, epilogue);
}

}  // namespace paddle::lite
