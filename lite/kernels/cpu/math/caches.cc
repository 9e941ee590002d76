#include "lite/kernels/cpu/math/caches.h"

#include <algorithm>

#include "lite/core/base/cpu_info.h"

namespace paddle::lite::math {

int64_t L1CacheBytes() { return static_cast<int64_t>(ThisCaches().l1); }

int64_t BytesInL2(int64_t bytes) {
  constexpr int64_t kMeasured = 1 << 20;
  return std::min(bytes, bytes * (L2CacheBytes() >> 10) / (kMeasured >> 10));
}

int64_t L2CacheBytes() { return static_cast<int64_t>(ThisCaches().l2); }

}  // namespace paddle::lite::math
