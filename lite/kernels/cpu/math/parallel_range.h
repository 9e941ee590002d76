// ParallelRange: [0, total) in contiguous parts, on threads where that is worth their waking.
#pragma once

#include <cstdint>

#include "lite/core/base/function_ref.h"
#include "lite/core/base/thread_pool.h"

namespace paddle::lite::math {

// Calls body(begin, end) for parts that cover [0, total), each of at least `grain` and a multiple
// of `align` (the last one excepted), at most two a thread. No template: a body is compiled once.
void ParallelRange(int threads, int64_t total, int64_t grain,
                   FunctionRef<void(int64_t, int64_t)> body, int64_t align = 1);

// Elements of elementwise fp32 work that a part should have.
constexpr int64_t kElementGrain = 16384;

}  // namespace paddle::lite::math
