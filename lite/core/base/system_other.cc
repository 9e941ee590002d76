// Systems with POSIX's files and no more that is known of: WebAssembly's.
#if !defined(__linux__) && !defined(_WIN32) && !defined(__APPLE__)

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "lite/core/base/system.h"

namespace paddle::lite::system {

#include "lite/core/base/system_posix.inc"

size_t AvailableMemory() {
  constexpr uint64_t kGuess = uint64_t{4} << 30;
  return static_cast<size_t>(kGuess > SIZE_MAX ? SIZE_MAX : kGuess);
}
void AdviseHugePages(void*, size_t, bool) {}
void ReturnPages(void*, size_t) {}
void ReturnFreedMemory() {}

int CurrentCore() { return -1; }
CoreSet ThreadCores() { return {}; }
void SetThreadCores(const CoreSet&) {}
void WithoutSignals(FunctionRef<void()> start) { start(); }
int64_t CacheBytes(int) { return 0; }
unsigned long ArmCapabilities() { return 0; }
bool AllowTiles() { return false; }

}  // namespace paddle::lite::system

#endif
