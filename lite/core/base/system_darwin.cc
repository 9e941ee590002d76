#if defined(__APPLE__)

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/sysctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "lite/core/base/system.h"

#define st_mtim st_mtimespec
#define st_ctim st_ctimespec

namespace paddle::lite::system {

#include "lite/core/base/system_posix.inc"

namespace {

// What the kernel says under a name; 0 where it does not know it.
int64_t Said(const char* name) {
  int64_t value = 0;
  size_t bytes = sizeof value;
  return sysctlbyname(name, &value, &bytes, nullptr, 0) == 0 ? value : 0;
}

}  // namespace

size_t AvailableMemory() {
  constexpr int64_t kGuess = int64_t{4} << 30;
  const int64_t all = Said("hw.memsize");
  return static_cast<size_t>(all > 0 ? all : kGuess);
}
void AdviseHugePages(void*, size_t, bool) {}
void ReturnPages(void*, size_t) {}
void ReturnFreedMemory() {}

// The kernel binds no thread to a core.
int CurrentCore() { return -1; }
CoreSet ThreadCores() { return {}; }
void SetThreadCores(const CoreSet&) {}
void WithoutSignals(FunctionRef<void()> start) { start(); }

// Level 0 has the fast cores, which share the second cache.
int64_t CacheBytes(int level) {
  if (level == 1) return std::max(Said("hw.perflevel0.l1dcachesize"), Said("hw.l1dcachesize"));
  const int64_t fast = Said("hw.perflevel0.l2cachesize");
  const int64_t sharing = std::max<int64_t>(1, Said("hw.perflevel0.cpusperl2"));
  return fast > 0 ? fast / sharing : Said("hw.l2cachesize");
}

unsigned long ArmCapabilities() {
  constexpr unsigned long kHalves = 1UL << 10, kDotProducts = 1UL << 20;  // as Linux has them
  return (Said("hw.optional.arm.FEAT_FP16") != 0 ? kHalves : 0) |
         (Said("hw.optional.arm.FEAT_DotProd") != 0 ? kDotProducts : 0);
}
bool AllowTiles() { return false; }

}  // namespace paddle::lite::system

#endif
