#if defined(__linux__)

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "lite/core/base/system.h"

namespace paddle::lite::system {

#include "lite/core/base/system_posix.inc"

// MemAvailable of /proc/meminfo.
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

void AdviseHugePages(void* memory, size_t bytes, bool huge) {
  madvise(memory, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}
void ReturnPages(void* memory, size_t bytes) { madvise(memory, bytes, MADV_DONTNEED); }
void ReturnFreedMemory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

int CurrentCore() { return sched_getcpu(); }

CoreSet ThreadCores() {
  cpu_set_t system;
  CoreSet cores;
  if (sched_getaffinity(0, sizeof system, &system) != 0) return cores;
  for (size_t i = 0; i < cores.size() && i < CPU_SETSIZE; ++i) cores[i] = CPU_ISSET(i, &system);
  return cores;
}

void SetThreadCores(const CoreSet& cores) {
  cpu_set_t system;
  CPU_ZERO(&system);
  for (size_t i = 0; i < cores.size() && i < CPU_SETSIZE; ++i)
    if (cores[i]) CPU_SET(i, &system);
  sched_setaffinity(0, sizeof system, &system);
}

void WithoutSignals(FunctionRef<void()> start) {
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  try {
    start();
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &old, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

int64_t CacheBytes(int level) {
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  return sysconf(level == 1 ? _SC_LEVEL1_DCACHE_SIZE : _SC_LEVEL2_CACHE_SIZE);
#else
  (void)level;
  return 0;
#endif
}

unsigned long ArmCapabilities() {
#if defined(__aarch64__)
  return getauxval(AT_HWCAP);
#else
  return 0;
#endif
}

bool AllowTiles() {
#if defined(__x86_64__)
  constexpr int kAskPermission = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM
  return syscall(SYS_arch_prctl, kAskPermission, kTileData) == 0;
#else
  return false;
#endif
}

}  // namespace paddle::lite::system

#endif  // __linux__
