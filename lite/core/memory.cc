#include "lite/core/memory.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

#ifdef __linux__
#include <malloc.h>
#include <sys/mman.h>
#endif

#include "lite/core/base/errors.h"

namespace paddle::lite {
namespace {

std::atomic<size_t> g_limit{0};
constexpr size_t kHugePage = size_t{2} << 20;
// The system is not asked for less: its answer takes 0.1 ms.
constexpr size_t kAlwaysThere = size_t{64} << 20;

// MemAvailable of /proc/meminfo in bytes; 4 GiB where it cannot be read.
size_t AvailableMemory() {
  size_t kib = size_t{4} << 20;
  if (FILE* file = std::fopen("/proc/meminfo", "r")) {
    char line[128];
    while (std::fgets(line, sizeof line, file)) {
      if (std::sscanf(line, "MemAvailable: %zu kB", &kib) == 1) break;
    }
    std::fclose(file);
  }
  return kib * 1024;
}

}  // namespace

size_t MemoryLimit() {
  const size_t limit = g_limit.load(std::memory_order_relaxed);
  return limit ? limit : AvailableMemory() / 5 * 4;
}

void SetMemoryLimit(size_t bytes) { g_limit.store(bytes, std::memory_order_relaxed); }

bool FitsMemoryLimit(size_t bytes) {
  if (bytes < kAlwaysThere && g_limit.load(std::memory_order_relaxed) == 0) return true;
  return bytes <= MemoryLimit();
}

void CheckMemoryLimit(size_t bytes, const char* what) {
  if (bytes >= kAlwaysThere && !FitsMemoryLimit(bytes))
    throw LiteError(StrCat(what, " needs ", bytes, " bytes of memory, the limit is ", MemoryLimit(),
                           "; use smaller inputs or raise the limit with set_memory_limit"));
}

void ReturnFreedMemory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

std::shared_ptr<void> AllocateAligned(size_t bytes, PageChoice pages) {
  CheckMemoryLimit(bytes, "a tensor");
  const size_t alignment = bytes >= kHugePage ? kHugePage : 64;
  const size_t rounded = (bytes + alignment) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) throw std::bad_alloc();
#ifdef __linux__
  if (alignment == kHugePage)
    madvise(memory, rounded, pages == PageChoice::kHuge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#endif
  (void)pages;
  return {memory, std::free};
}

}  // namespace paddle::lite
