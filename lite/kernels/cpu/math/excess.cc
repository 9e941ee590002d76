#include "lite/kernels/cpu/math/excess.h"

#include <algorithm>

namespace paddle::lite::math {
namespace {

constexpr int kMost = 128;  // of two neighbours: 255 times that is less than 2^15

// What two weights of one sign are beyond `kMost`, to be taken from the larger one.
int Beyond(int a, int b) {
  if (a > 0 && b > 0) return std::max(a + b - kMost, 0);
  if (a < 0 && b < 0) return std::min(a + b + kMost, 0);
  return 0;
}

// The same of all pairs of `count` weights, to `excess`; false where there is none.
bool TakeFrom(int8_t* weights, int64_t count, int8_t* excess) {
  bool found = false;
  for (int64_t i = 0; i < count; i += 2) {
    const int beyond = Beyond(weights[i], weights[i + 1]);
    if (beyond == 0) continue;
    const bool first = std::abs(weights[i]) >= std::abs(weights[i + 1]);
    int8_t& larger = weights[first ? i : i + 1];
    larger = static_cast<int8_t>(larger - beyond);
    excess[first ? i : i + 1] = static_cast<int8_t>(beyond);
    found = true;
  }
  return found;
}

}  // namespace

Excess TakeExcess(const std::vector<int64_t>& columns, int64_t segments, int64_t words,
                  int64_t most, int8_t* weights) {
  Excess excess;
  std::vector<int8_t> row;
  for (size_t panel = 1; panel < columns.size(); ++panel) {
    const int64_t count = 4 * (columns[panel] - columns[panel - 1]);
    for (int64_t segment = 0; segment < segments; ++segment)
      for (int64_t word = 0; word < words; ++word, weights += count) {
        row.assign(static_cast<size_t>(count), 0);
        if (!TakeFrom(weights, count, row.data())) continue;
        if (static_cast<int64_t>(excess.places.size()) == most) return excess;
        excess.places.push_back({static_cast<int32_t>(segment), static_cast<int32_t>(word)});
        excess.words.insert(excess.words.end(), row.begin(), row.end());
      }
    excess.ends.push_back(static_cast<int32_t>(excess.places.size()));
  }
  return excess;
}

}  // namespace paddle::lite::math
