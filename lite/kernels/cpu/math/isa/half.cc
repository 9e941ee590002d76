#include "lite/kernels/cpu/math/half.h"

namespace paddle::lite::math::LITE_ISA {

namespace {

void ToFloats(int64_t count, const uint16_t* x, float* y) {
  for (int64_t i = 0; i < count; ++i) y[i] = HalfToFloat(x[i]);
}

void ToHalves(int64_t count, const float* x, uint16_t* y) {
  for (int64_t i = 0; i < count; ++i) y[i] = FloatToHalf(x[i]);
}

}  // namespace

extern const HalfTable kHalfTable = {ToFloats, ToHalves};

}  // namespace paddle::lite::math::LITE_ISA
