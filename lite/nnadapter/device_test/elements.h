// Element types: sizes, kinds, and how many elements dimensions have.
#pragma once

#include <stdint.h>

#include <optional>
#include <vector>

namespace device_test {

enum class ScaleKind { kNone, kLayer, kChannel, kAsymmetric };

// Bytes of an element; 0 for a precision that is not known.
uint32_t ElementSize(int32_t precision);
ScaleKind ScaleKindOf(int32_t precision);
// Nothing where a dimension is negative, there are too many, or the product is above 2^31.
std::optional<uint64_t> ElementCount(const std::vector<int32_t>& dims);
bool IsReal(int32_t precision);
// An element as a number; of reals and integers each.
double RealAt(int32_t precision, const uint8_t* bytes, uint64_t index);
int64_t IntegerAt(int32_t precision, const uint8_t* bytes, uint64_t index);

}  // namespace device_test
