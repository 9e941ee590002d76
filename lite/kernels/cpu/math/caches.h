// Sizes of this machine's data caches in bytes.
#pragma once

#include <cstdint>

namespace paddle::lite::math {

int64_t L1CacheBytes();
int64_t L2CacheBytes();

// `bytes`, which were found best where L2 has 1 MB, or the same share of a smaller L2.
int64_t BytesInL2(int64_t bytes);

}  // namespace paddle::lite::math
