#include "lite/kernels/cpu/math/caches.h"

#include <unistd.h>

#include <algorithm>

#include "lite/core/base/cpu_info.h"

namespace paddle::lite::math {
namespace {

// What the C library knows of a cache. That is nothing on Arm, where asking takes many small files.
int64_t Reported([[maybe_unused]] int level) {
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  return sysconf(level == 1 ? _SC_LEVEL1_DCACHE_SIZE : _SC_LEVEL2_CACHE_SIZE);
#else
  return 0;
#endif
}

int64_t Bytes(int level) {
  const int64_t bytes = Reported(level);
  if (bytes > 0) return bytes;
  return static_cast<int64_t>(level == 1 ? ThisCaches().l1 : ThisCaches().l2);
}

}  // namespace

int64_t L1CacheBytes() {
  static const int64_t bytes = Bytes(1);
  return bytes;
}

int64_t BytesInL2(int64_t bytes) {
  constexpr int64_t kMeasured = 1 << 20;
  return std::min(bytes, bytes * (L2CacheBytes() >> 10) / (kMeasured >> 10));
}

int64_t L2CacheBytes() {
  static const int64_t bytes = Bytes(2);
  return bytes;
}

}  // namespace paddle::lite::math
