// Damaged files of cases: each is refused with a FileError, or read. FILE COUNT.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fstream>
#include <iterator>
#include <random>

#include "lite/nnadapter/device_test/case_file.h"

namespace {

constexpr size_t kSumAt = 12, kBodyAt = 16;

uint32_t Crc32(const uint8_t* bytes, size_t size) {
  uint32_t crc = ~0u;
  for (size_t i = 0; i < size; ++i)
    for (int bit = 0; bit < 8; ++bit) {
      const uint32_t odd = (crc ^ (bytes[i] >> bit)) & 1;
      crc = crc >> 1 ^ (odd ? 0xEDB88320u : 0);
    }
  return ~crc;
}

void Mutate(std::vector<uint8_t>* bytes, std::mt19937* random) {
  const uint32_t extremes[] = {0,          1,          0x7fffffff, 0x80000000,
                               0xffffffff, 0x10000000, 0x20000001, 0x40000000};
  for (int times = 1 + (*random)() % 3; times-- > 0 && bytes->size() > kBodyAt + 4;) {
    const size_t at = kBodyAt + (*random)() % (bytes->size() - kBodyAt - 4);
    switch ((*random)() % 5) {
      case 0:
        bytes->resize(at);
        break;
      case 1:
        (*bytes)[at] = static_cast<uint8_t>((*random)());
        break;
      case 2:
        (*bytes)[at] ^= 1 << (*random)() % 8;
        break;
      case 3:
        memcpy(bytes->data() + at, &extremes[(*random)() % 8], 4);
        break;
      default:
        bytes->insert(bytes->begin() + at, (*random)() % 9, 0);
    }
  }
}

}  // namespace

int main(int, char** words) {
  std::ifstream file(words[1], std::ios::binary);
  const std::vector<uint8_t> whole{std::istreambuf_iterator<char>(file), {}};
  std::mt19937 random(7);
  int refused = 0;
  for (int i = 0; i < atoi(words[2]); ++i) {
    std::vector<uint8_t> bytes = whole;
    Mutate(&bytes, &random);
    if (i % 8) {  // with the right sum, so that what stands behind it is read
      const uint32_t sum = Crc32(bytes.data() + kBodyAt, bytes.size() - kBodyAt);
      memcpy(bytes.data() + kSumAt, &sum, 4);
    }
    try {
      device_test::ParseCases(bytes);
    } catch (const device_test::FileError&) {
      ++refused;
    }
  }
  for (size_t size = 0; size < std::min<size_t>(whole.size(), 2000); ++size) {
    try {
      device_test::ParseCases({whole.begin(), whole.begin() + size});
      return 1;
    } catch (const device_test::FileError&) {
    }
  }
  printf("%d refused\n", refused);
}
