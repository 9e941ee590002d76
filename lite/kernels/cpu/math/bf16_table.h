#pragma once

#include <stdint.h>

#include "lite/kernels/cpu/math/isa.h"
#include "lite/kernels/cpu/math/rounded_block.h"

namespace paddle::lite::math {

// C[r][j] = epilogue(sum over segments s and i < length of rows[r][offsets[s] + i] * B[s][i][j]),
// in bf16 with fp32 sums. Rows hold bf16 with `dot`, else floats whose lower half is 0.
struct Bf16Block : RoundedBlock {
  int64_t length = 0;
  bool dot = false;
  const uint32_t* b = nullptr;  // packed panels, as GemmTable's
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
