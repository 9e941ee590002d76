// Products of fp64 matrices.
#pragma once

#include <cstdint>

#include "lite/kernels/cpu/math/isa.h"

namespace paddle::lite::math {

// out[m][n] = x * y, row-major; element (i, k) of x is x[i * row_x + k * step_x], (k, j) of y is
// y[k * row_y + j * step_y]. Each sum is in the order of k.
struct DoubleProduct {
  int64_t m = 0, n = 0, k = 0;
  const double* x = nullptr;
  int64_t row_x = 0, step_x = 1;
  const double* y = nullptr;
  int64_t row_y = 0, step_y = 1;
  double* out = nullptr;
};

// On the calling thread.
void MultiplyDoubles(const DoubleProduct& product);

struct DoubleTable {
  int panel;  // columns that are worked on together
  // `room`: k x panel.
  void (*multiply)(const DoubleProduct& product, double* room);
};
LITE_ISA_DECLARE(DoubleTable, kDoubleTable)

}  // namespace paddle::lite::math
