// What products of 8-bit integers may be.
#pragma once

#include <cstdint>

namespace paddle::lite::math {

// More summands of one result could overflow its 32 bits: each is at most 255 * 128.
constexpr int64_t kMaxInt8Summands = 65 * 1000;

}  // namespace paddle::lite::math
