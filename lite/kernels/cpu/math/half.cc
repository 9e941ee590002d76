#include "lite/kernels/cpu/math/half.h"

namespace paddle::lite::math {

void HalvesToFloats(int64_t count, const uint16_t* x, float* y) {
  LITE_ISA_PICK(kHalfTable).to_floats(count, x, y);
}

void FloatsToHalves(int64_t count, const float* x, uint16_t* y) {
  LITE_ISA_PICK(kHalfTable).to_halves(count, x, y);
}

}  // namespace paddle::lite::math
