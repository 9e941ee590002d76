#include "lite/kernels/cpu/math/parallel_range.h"

#include <algorithm>

namespace paddle::lite::math {

void ParallelRange(int threads, int64_t total, int64_t grain,
                   FunctionRef<void(int64_t, int64_t)> body, int64_t align) {
  if (total <= 0) return;
  grain = std::max<int64_t>(grain, 1);
  int64_t parts = std::min<int64_t>(2 * static_cast<int64_t>(threads), total / grain);
  if (parts > threads) parts -= parts % threads;  // as many for each
  if (threads <= 1 || parts <= 1) {
    body(0, total);
    return;
  }
  int64_t step = (total + parts - 1) / parts;
  step = (step + align - 1) / align * align;
  ParallelFor(threads, (total + step - 1) / step,
              [&](int64_t part) { body(part * step, std::min(total, (part + 1) * step)); });
}

}  // namespace paddle::lite::math
