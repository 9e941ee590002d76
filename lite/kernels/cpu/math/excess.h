#pragma once

#include <cstdint>
#include <vector>

namespace paddle::lite::math {

// Words of four bytes where the CPU has no dot products of bytes: the products of two neighbours
// are added in 16 bits, which hold them while weights of one sign come to no more than 128. What
// they are beyond that stands in words in excess, which are multiplied for themselves.
struct ExcessPlace {
  int32_t segment, word;
};

struct Excess {
  std::vector<int32_t> ends;  // of each panel: the words in excess up to its end
  std::vector<ExcessPlace> places;
  std::vector<int8_t> words;  // as wide as their panel
};

// Of panels one after another, which begin with these columns (behind them stands the end) and have
// words of four bytes for each; what is in excess is taken out of `weights`. It stops, and `ends`
// are fewer, beyond `most` words.
Excess TakeExcess(const std::vector<int64_t>& columns, int64_t segments, int64_t words,
                  int64_t most, int8_t* weights);

}  // namespace paddle::lite::math
