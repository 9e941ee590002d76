#include "lite/kernels/cpu/math/caches.h"

#include <unistd.h>

namespace paddle::lite::math {
namespace {

[[maybe_unused]] int64_t Reported(int name, int64_t otherwise) {
  const long bytes = sysconf(name);
  return bytes > 0 ? bytes : otherwise;
}

}  // namespace

int64_t L1CacheBytes() {
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  static const int64_t bytes = Reported(_SC_LEVEL1_DCACHE_SIZE, 32 << 10);
  return bytes;
#else
  return 32 << 10;
#endif
}

int64_t L2CacheBytes() {
#if defined(_SC_LEVEL2_CACHE_SIZE)
  static const int64_t bytes = Reported(_SC_LEVEL2_CACHE_SIZE, 1 << 20);
  return bytes;
#else
  return 1 << 20;
#endif
}

}  // namespace paddle::lite::math
