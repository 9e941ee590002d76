#include "lite/kernels/cpu/math/reduce.h"

#include <algorithm>

#include "lite/kernels/cpu/math/parallel_range.h"

namespace paddle::lite::math {

void Reduce(Reduction reduction, int64_t outer, int64_t axis, int64_t inner, const float* x,
            float* y, int threads) {
  if (outer == 0 || inner == 0) return;
  const ReduceTable& table = LITE_ISA_PICK(kReduceTable);
  if (inner == 1) {
    ParallelRange(threads, outer, kElementGrain / axis + 1, [&](int64_t begin, int64_t end) {
      table.rows(reduction, end - begin, axis, x + begin * axis, y + begin);
    });
    return;
  }
  // Work is counted in blocks of 64 columns.
  constexpr int64_t kBlock = 64;
  const int64_t blocks = (inner + kBlock - 1) / kBlock;
  ParallelRange(threads, outer * blocks, kElementGrain / (kBlock * axis) + 1,
                [&](int64_t begin, int64_t end) {
                  while (begin < end) {
                    const int64_t plane = begin / blocks, block = begin % blocks;
                    const int64_t count = std::min(end - begin, blocks - block);
                    table.columns(reduction, axis, inner, block * kBlock,
                                  std::min(inner, (block + count) * kBlock),
                                  x + plane * axis * inner, y + plane * inner);
                    begin += count;
                  }
                });
}

}  // namespace paddle::lite::math
