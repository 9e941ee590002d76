#include "lite/core/memory.h"

#include <atomic>
#include <new>

#include "lite/core/base/errors.h"
#include "lite/core/base/system.h"

namespace paddle::lite {
namespace {

std::atomic<size_t> g_limit{0};
constexpr size_t kHugePage = size_t{2} << 20;
// The system is not asked for less: its answer takes 0.1 ms.
constexpr size_t kAlwaysThere = size_t{64} << 20;

}  // namespace

size_t MemoryLimit() {
  const size_t limit = g_limit.load(std::memory_order_relaxed);
  return limit ? limit : system::AvailableMemory() / 5 * 4;
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

void ReturnFreedMemory() { system::ReturnFreedMemory(); }

std::shared_ptr<void> AllocateAligned(size_t bytes, PageChoice pages) {
  CheckMemoryLimit(bytes, "a tensor");
  const size_t alignment = bytes >= kHugePage ? kHugePage : 64;
  const size_t rounded = (bytes + alignment) / alignment * alignment;
  void* memory = system::AllocateAligned(alignment, rounded);
  if (memory == nullptr) throw std::bad_alloc();
  if (alignment == kHugePage) system::AdviseHugePages(memory, rounded, pages == PageChoice::kHuge);
  return {memory, system::FreeAligned};
}

}  // namespace paddle::lite
