#include "lite/kernels/cpu/math/softmax.h"

#include <algorithm>

#include "lite/kernels/cpu/math/parallel_range.h"

namespace paddle::lite::math {

void Softmax(int64_t outer, int64_t axis, int64_t inner, const float* x, float* y, bool log,
             int threads) {
  if (outer == 0 || axis == 0 || inner == 0) return;
  const SoftmaxTable& table = LITE_ISA_PICK(kSoftmaxTable);
  constexpr int64_t kGrain = kElementGrain / 4;
  if (inner == 1) {
    ParallelRange(threads, outer, kGrain / axis + 1, [&](int64_t begin, int64_t end) {
      table.rows(end - begin, axis, x + begin * axis, y + begin * axis, log);
    });
    return;
  }
  // Work is counted in blocks of 16 columns.
  const int64_t blocks = (inner + 15) / 16;
  ParallelRange(threads, outer * blocks, kGrain / (16 * axis) + 1, [&](int64_t begin, int64_t end) {
    while (begin < end) {
      const int64_t plane = begin / blocks, block = begin % blocks;
      const int64_t count = std::min(end - begin, blocks - block);
      const int64_t at = plane * axis * inner;
      table.columns(axis, inner, block * 16, std::min(inner, (block + count) * 16), x + at, y + at,
                    log);
      begin += count;
    }
  });
}

}  // namespace paddle::lite::math
