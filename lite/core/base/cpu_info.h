// The machine's processors: their caches, which are fast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace paddle::lite {

// Bytes of the caches of a core: where cores differ, the smallest; where the system does not say,
// those of a small arm64 core.
struct CacheSizes {
  size_t l1 = 32 << 10;  // data
  size_t l2 = 512 << 10;
};

// Read once, at the first call.
const CacheSizes& ThisCaches();

struct CpuCore {
  int number;
  int64_t capacity;  // compared with the other cores'; the same for all where nothing is known
};

// The folder that describes processors: the environment variable LITE_CPU_FOLDER, for tests, or
// /sys/devices/system/cpu.
std::string CpuFolder();
CacheSizes ReadCaches(const std::string& folder);
// The cores that are online, in order of their numbers; empty where the folder does not say.
std::vector<CpuCore> ReadCores(const std::string& folder);

}  // namespace paddle::lite
