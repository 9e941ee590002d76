// Sizes of this machine's data caches in bytes, as the system reports them; 32 KB and 1 MB where it
// does not.
#pragma once

#include <cstdint>

namespace paddle::lite::math {

int64_t L1CacheBytes();
int64_t L2CacheBytes();

}  // namespace paddle::lite::math
