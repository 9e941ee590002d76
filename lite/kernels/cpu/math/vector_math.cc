#include "lite/kernels/cpu/math/vector_math.h"

#include "lite/kernels/cpu/math/parallel_range.h"

namespace paddle::lite::math {

void RunVector(VectorFunction function, int64_t count, const float* x, float* y, float a, float b,
               int threads) {
  const VectorTable& table = LITE_ISA_PICK(kVectorTable);
  ParallelRange(
      threads, count, kElementGrain / 4,
      [&](int64_t begin, int64_t end) {
        table.run(function, end - begin, x + begin, y + begin, a, b);
      },
      16);
}

}  // namespace paddle::lite::math
