// Sizes of this machine's data caches in bytes.
#pragma once

#include <cstdint>

namespace paddle::lite::math {

int64_t L1CacheBytes();
int64_t L2CacheBytes();

// `bytes`, which were found best where L2 has 1 MB, or the same share of a smaller L2.
int64_t BytesInL2(int64_t bytes);

// What one core reads of weights that are in no cache of its own (measured: 30 GB/s at 3 to 4 GHz).
constexpr double kWeightBytesPerCycle = 8;

}  // namespace paddle::lite::math
