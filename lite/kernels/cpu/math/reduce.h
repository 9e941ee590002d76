// Reductions of fp32 memory.
#pragma once

#include <cstdint>

#include "lite/kernels/cpu/math/isa.h"

namespace paddle::lite::math {

enum class Reduction { kSum, kMean, kMax, kMin, kProd };

// y[outer][inner] = reduction of x[outer][axis][inner] along the middle; axis > 0. Sums are formed
// in parts of fixed size, in double between them.
void Reduce(Reduction reduction, int64_t outer, int64_t axis, int64_t inner, const float* x,
            float* y, int threads);

struct ReduceTable {
  void (*rows)(Reduction reduction, int64_t rows, int64_t cols, const float* x, float* y);
  // Columns [first, last) of one [axis, inner] plane.
  void (*columns)(Reduction reduction, int64_t axis, int64_t inner, int64_t first, int64_t last,
                  const float* x, float* y);
};
LITE_ISA_DECLARE(ReduceTable, kReduceTable)

}  // namespace paddle::lite::math
