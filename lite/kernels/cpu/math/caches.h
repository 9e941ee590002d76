// Sizes of this machine's data caches in bytes.
#pragma once

#include <cstdint>

namespace paddle::lite::math {

int64_t L1CacheBytes();
int64_t L2CacheBytes();

}  // namespace paddle::lite::math
