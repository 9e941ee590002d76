#pragma once

#include <stdint.h>

namespace paddle::lite::math {

// Integers of 4 or 8 bits without sign, in words, that stand for (integer - zero) * scale, of each
// column and `rows` of B. A column's lie one after another, the first in a word's lowest bits.
struct IntegerGroups {
  int bits = 4;
  int64_t rows = 0;                // of a group
  int64_t words = 0;               // of a column
  int64_t count = 0;               // groups of a column
  const float* scales = nullptr;   // panels as B's, a row a group
  const uint8_t* zeros = nullptr;  // so as well; null: the middle of the integers
  bool few_rows = false;           // of A, all at most GemmTable::group_rows
};

}  // namespace paddle::lite::math
