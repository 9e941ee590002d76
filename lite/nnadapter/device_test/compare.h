#pragma once

#include <string>

#include "lite/nnadapter/device_test/case_file.h"

namespace device_test {

// What a device computed.
struct Found {
  int32_t precision;
  std::vector<int32_t> dims;
  std::vector<uint8_t> bytes;
};

// Nothing, or how the numbers differ. Reals: the error is relative to the largest expected number.
// Integers: they differ by more than `levels`.
std::string Difference(const Found& found, const Expected& expected, double tolerance, int levels);

std::string DimsText(const std::vector<int32_t>& dims);

}  // namespace device_test
