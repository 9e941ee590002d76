#include "lite/kernels/cpu/math/moments.h"

#include <algorithm>
#include <vector>

#include "lite/kernels/cpu/math/parallel_range.h"

namespace paddle::lite::math {
namespace {

// Sums over pixels are made of parts of this many rows, whatever the number of threads.
constexpr int64_t kPartRows = 1024;

}  // namespace

void RowMoments(int64_t rows, int64_t cols, const float* x, float* mean, float* variance,
                int threads) {
  if (rows == 0 || cols == 0) return;
  const MomentsTable& table = LITE_ISA_PICK(kMomentsTable);
  ParallelRange(threads, rows, kElementGrain / cols + 1, [&](int64_t begin, int64_t end) {
    table.rows(end - begin, cols, x + begin * cols, mean + begin, variance + begin);
  });
}

void ColumnSums(int64_t rows, int64_t cols, const float* x, const float* center, double* sums,
                int threads) {
  const MomentsTable& table = LITE_ISA_PICK(kMomentsTable);
  const int64_t parts = (rows + kPartRows - 1) / kPartRows;
  std::vector<double> partial(static_cast<size_t>(parts * cols), 0.0);
  ParallelRange(threads, parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p)
      table.columns(std::min(kPartRows, rows - p * kPartRows), cols, x + p * kPartRows * cols,
                    center, partial.data() + p * cols);
  });
  for (int64_t j = 0; j < cols; ++j) {
    sums[j] = 0;
    for (int64_t p = 0; p < parts; ++p) sums[j] += partial[static_cast<size_t>(p * cols + j)];
  }
}

}  // namespace paddle::lite::math
