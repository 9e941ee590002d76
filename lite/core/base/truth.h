// Bools from outside: any byte but 0 is true for those who write them, C++ loads 0 and 1 only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace paddle::lite {

// Whether a byte is neither 0 nor 1.
inline bool HasOtherTruth(const void* data, size_t size) {
  constexpr size_t kTogether = 4096;  // in vectors, which a look at each would prevent
  const auto* bytes = static_cast<const uint8_t*>(data);
  for (size_t first = 0; first < size; first += kTogether) {
    uint8_t bits = 0;
    const size_t end = std::min(first + kTogether, size);
    for (size_t i = first; i < end; ++i) bits |= bytes[i];
    if (bits > 1) return true;
  }
  return false;
}

// Writes 1 for true; memory that holds nothing else is not written.
inline void MakePlainTruth(void* data, size_t size) {
  auto* bytes = static_cast<uint8_t*>(data);
  for (size_t i = 0; i < size; ++i)
    if (bytes[i] > 1) bytes[i] = 1;
}

}  // namespace paddle::lite
