#pragma once

#include <stdint.h>

#include "lite/kernels/cpu/math/isa.h"
#include "lite/kernels/cpu/math/rounded_block.h"

namespace paddle::lite::math {

// C[r][j] = epilogue(sum over segments s and i < length of rows[r][offsets[s] + i] * B[s][i][j]),
// of halves. `native` is the CPU's own arithmetic of them; then rows hold halves too, else the
// floats that they are.
struct HalvesBlock : RoundedBlock {
  int64_t length = 0;
  bool native = false;
  const uint32_t* b = nullptr;  // packed panels, as GemmTable's
};

// A packed panel of floats to one of words, which hold two rows of a segment; the last of an odd
// number beside 0.
struct HalvesPanel {
  const float* rows = nullptr;  // segments x length x width
  int64_t segments = 0, length = 0, width = 0;
  bool native = false;
  uint32_t* words = nullptr;
};

struct HalvesTable {
  void (*run_block)(const HalvesBlock&);
  void (*round_row)(const float* x, int64_t count, bool native, char* out);
  void (*pack)(const HalvesPanel&);
};
LITE_ISA_DECLARE(HalvesTable, kBf16Table)
LITE_ISA_DECLARE(HalvesTable, kFp16Table)

}  // namespace paddle::lite::math
