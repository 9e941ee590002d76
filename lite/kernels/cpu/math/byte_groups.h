#pragma once

#include <cstdint>

#include "lite/kernels/cpu/math/integer_groups.h"
#include "lite/kernels/cpu/math/integer_weights.h"

namespace paddle::lite::math {

// C = epilogue(A * B) as GemmGroups, of A rounded to bytes: in each group of B's rows the largest
// magnitude becomes 127, as MatMulNBits of ONNX Runtime has it with accuracy_level 4. The bits do
// not depend on M or `threads`. What is not finite makes its row's results NaN.
void GemmByteGroups(int threads, int64_t m, int64_t k, const float* a, const PackedGroups& b,
                    float* c, const Epilogue& epilogue);

// Rows of A in bytes: of each word of B's integers (8 or 4 rows) those of even places first where
// there are 8. Scales and the bytes' sums are of each group.
struct ByteRows {
  int64_t stride = 0, groups = 0;  // bytes and groups of a row
  int8_t* bytes = nullptr;
  float *scales = nullptr, *sums = nullptr;
};

// Where a row of a group lies in its bytes.
inline int64_t PlaceInWord(int64_t row, int bits) {
  return bits == 8 ? row : row / 8 * 8 + row % 8 / 2 + row % 2 * 4;
}

// Some rows of A with a panel of B.
struct ByteGroupsBlock {
  const ByteRows* rows = nullptr;
  int64_t first_row = 0, row_count = 0;
  const IntegerGroups* groups = nullptr;
  const int8_t* integers = nullptr;
  int64_t columns = 0, panel = 0;  // of the whole B
  float* sums = nullptr;           // row_count rows, ld from one to the next
  int64_t ld = 0;
};
constexpr int64_t kByteGroupsWidth = 3 * 16;  // the widest panel

struct ByteGroupsTable {
  // A group of `count` numbers; writes as many bytes as there are rows in the group.
  void (*round)(const float* x, int64_t count, const IntegerGroups& groups, int8_t* bytes,
                float* scale, float* sum);
  void (*run)(const ByteGroupsBlock&);  // null: products of floats are the faster ones
  bool needs_dot;                       // as they are where HasByteDot() is not
};
LITE_ISA_DECLARE(ByteGroupsTable, kByteGroupsTable)

}  // namespace paddle::lite::math
