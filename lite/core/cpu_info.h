// The machine's processors: what they can do, their caches, which are fast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace paddle::lite {

// What every core of an arm64 machine has beyond ARMv8.0; elsewhere false. SVE is not used.
struct ArmFeatures {
  bool dot_product = false;    // sdot, udot
  bool half = false;           // arithmetic of fp16
  bool int8_matrices = false;  // smmla
};

// Read once, at the first call. The environment variable LITE_ARM_FEATURES names those that may be
// used (dotprod,fp16,i8mm), where it is set.
const ArmFeatures& ThisArm();

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
