#pragma once

#include <stdint.h>

#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/isa.h"

namespace paddle::lite::math {

// C[r][j] = epilogue(sum over segments s and i < length of rows[r][offsets[s] + i] * B[s][i][j]),
// in bf16 with fp32 sums. Rows hold bf16 with `dot`, else floats whose lower half is 0.
struct Bf16Block {
  const char* const* rows = nullptr;
  int64_t row_count = 0;
  const int64_t* offsets = nullptr;  // bytes
  int64_t segments = 0, length = 0;
  bool dot = false;
  const uint32_t* b = nullptr;  // packed panels, as GemmTable's
  int64_t columns = 0;
  int64_t first_panel = 0, last_panel = 0;
  float* c = nullptr;
  int64_t ldc = 0;
  const Epilogue* epilogue = nullptr;
  int64_t first_row = 0, first_column = 0;
};

// A packed panel of floats to one of words, which hold two rows of a segment: the first in the
// lower half; the last of an odd number beside 0.
struct Bf16Panel {
  const float* rows = nullptr;  // segments x length x width
  int64_t segments = 0, length = 0, width = 0;
  uint32_t* words = nullptr;
};

struct Bf16Table {
  void (*run_block)(const Bf16Block&);
  void (*round_row)(const float* x, int64_t count, bool dot, char* out);
  void (*pack)(const Bf16Panel&);
};
LITE_ISA_DECLARE(Bf16Table, kBf16Table)

}  // namespace paddle::lite::math
