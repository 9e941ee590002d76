#pragma once

#include <cstdint>

#include "lite/kernels/cpu/math/isa.h"

namespace paddle::lite::math {

// Weights of some columns (output channels) of a panel: rows of x are columns of the panel.
//   y[(t * tap_rows + c) * width + o] = x[o * ldx + c * taps + t],
// and 0 for o from `columns` to `width`.
struct TurnedPanel {
  const float* x = nullptr;
  int64_t ldx = 0;
  int64_t columns = 0, channels = 0, taps = 1;
  float* y = nullptr;
  int64_t width = 0;  // a multiple of the vector's
  int64_t tap_rows = 0;
  bool flush = false;  // denormals become 0
};

struct PackingTable {
  void (*turn)(const TurnedPanel&);
  // `flush` of contiguous elements.
  void (*copy)(const float* x, int64_t count, bool flush, float* y);
  // Winograd's transform, for tiles of 2 and of 4, of 3x3 weights w[channels][9][width] to
  // y[(tile + 2)^2 matrices, `stride` floats apart][channels][width].
  void (*winograd[2])(const float* w, int64_t channels, int64_t width, float* y, int64_t stride);
  // The same of integers w[9][channels][width], times the scales of the columns. Sums are exact.
  void (*winograd_integers[2])(const int8_t* w, int64_t channels, int64_t width,
                               const float* scales, float* y, int64_t stride);
};
LITE_ISA_DECLARE(PackingTable, kPackingTable)

}  // namespace paddle::lite::math
