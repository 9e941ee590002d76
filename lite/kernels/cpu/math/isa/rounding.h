#pragma once

// Whole numbers near those of a vector. What is not finite, or has no fraction, stays; so does the
// sign of a zero.

#include "lite/kernels/cpu/math/isa/vec_math.h"

namespace paddle::lite::math::LITE_ISA {

// Halves go to the even neighbour.
LITE_INLINE V Rint(V x) {
  const V whole = Splat(8388608.0f), size = Abs(x);  // 2^23, from where on all are whole
  return size < whole ? CopySign((size + whole) - whole, x) : x;
}

LITE_INLINE V Floor(V x) {
  const V near = Rint(x);
  return near - (near > x ? Splat(1.0f) : Splat(0.0f));
}

LITE_INLINE V Ceil(V x) {
  const V near = Rint(x);
  return CopySign(near + (near < x ? Splat(1.0f) : Splat(0.0f)), x);
}

LITE_INLINE V Trunc(V x) { return CopySign(Floor(Abs(x)), x); }

// Halves go away from zero.
LITE_INLINE V Round(V x) {
  const V size = Abs(x), near = Rint(size);
  const V up = size - near == Splat(0.5f) ? Splat(1.0f) : Splat(0.0f);
  return CopySign(near + up, x);
}

}  // namespace paddle::lite::math::LITE_ISA
