#pragma once

#include <stdint.h>

#include "lite/kernels/cpu/math/epilogue.h"

namespace paddle::lite::math {

// Rows of a rounded product: C[r][j] = epilogue(what rows[r] and column j give).
struct RoundedBlock {
  const char* const* rows = nullptr;
  int64_t row_count = 0;
  const int64_t* offsets = nullptr;  // of the segments, in bytes
  int64_t segments = 0;
  int64_t columns = 0;  // of the whole B
  int64_t first_panel = 0, last_panel = 0;
  float* c = nullptr;  // row 0, column 0
  int64_t ldc = 0;
  uint8_t* bytes = nullptr;  // in the place of c, where the epilogue rounds
  const Epilogue* epilogue = nullptr;
  int64_t first_row = 0, first_column = 0;  // of c in the result, for the steps
};

}  // namespace paddle::lite::math
