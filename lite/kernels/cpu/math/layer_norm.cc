#include "lite/kernels/cpu/math/layer_norm.h"

#include "lite/kernels/cpu/math/moments.h"
#include "lite/kernels/cpu/math/parallel_range.h"

namespace paddle::lite::math {

void LayerNorm(int64_t rows, int64_t cols, const float* x, const float* scale, const float* bias,
               float epsilon, float* y, float* mean, float* variance, int threads) {
  if (rows == 0 || cols == 0) return;
  const MomentsTable& table = LITE_ISA_PICK(kMomentsTable);
  ParallelRange(threads, rows, kElementGrain / cols + 1, [&](int64_t begin, int64_t end) {
    table.layer_norm(end - begin, cols, x + begin * cols, scale, bias, epsilon, y + begin * cols,
                     mean == nullptr ? nullptr : mean + begin,
                     variance == nullptr ? nullptr : variance + begin);
  });
}

}  // namespace paddle::lite::math
