// ParallelRange: [0, total) in contiguous parts, on threads where that is worth their waking.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lite/core/base/thread_pool.h"

namespace paddle::lite::math {

// Calls body(begin, end) for parts that cover [0, total), each of at least `grain` and a multiple
// of `align` (the last one excepted), at most two a thread.
template <typename Body>
void ParallelRange(int threads, int64_t total, int64_t grain, Body&& body, int64_t align = 1) {
  if (total <= 0) return;
  grain = std::max<int64_t>(grain, 1);
  const int64_t parts = std::min<int64_t>(2 * static_cast<int64_t>(threads), total / grain);
  if (threads <= 1 || parts <= 1) {
    body(int64_t{0}, total);
    return;
  }
  int64_t step = (total + parts - 1) / parts;
  step = (step + align - 1) / align * align;
  ParallelFor(threads, (total + step - 1) / step,
              [&](int64_t part) { body(part * step, std::min(total, (part + 1) * step)); });
}

// Elements of elementwise fp32 work that a part should have.
constexpr int64_t kElementGrain = 16384;

}  // namespace paddle::lite::math
