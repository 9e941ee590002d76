#pragma once

// Natural logarithm of a vector.

#include "lite/kernels/cpu/math/isa/vec.h"

namespace paddle::lite::math::LITE_ISA {

// Within 2e-7 relative; -inf for 0, NaN below, denormals included.
LITE_INLINE V Log(V x) {
  const V zero = Splat(0.0f), one = Splat(1.0f);
  const V smallest = Splat(1.17549435e-38f);
  const VI tiny = x < smallest;
  const V scaled = tiny ? x * Splat(8388608.0f) : x;  // 2^23
  // x = m * 2^e with m in [sqrt(1/2), sqrt(2)).
  // Without the sign, which only zero and what becomes NaN have: the difference cannot overflow.
  const VI bits = ((VI)scaled & SplatInt(0x7fffffff)) - SplatInt(0x3f3504f3);
  const VI exponent = bits >> 23;
  const V m = (V)((bits & SplatInt(0x007fffff)) + SplatInt(0x3f3504f3));
  const V e = __builtin_convertvector(exponent, V) - (tiny ? Splat(23.0f) : zero);
  // log m = 2 atanh(s) with s = (m - 1) / (m + 1); the series' tail is fitted to |s| < 0.1716.
  const V f = m - one;
  const V s = f / (m + one);
  const V z = s * s;
  V p = Splat(0.24279078841f);
  p = p * z + Splat(0.28498786688f);
  p = p * z + Splat(0.40000972152f);
  p = p * z + Splat(0.66666662693f);
  p = p * z;
  const V half_square = Splat(0.5f) * f * f;
  const V low = s * (half_square + p) + e * Splat(9.0580006145e-06f);
  V y = f - (half_square - low);
  y = y + e * Splat(0.69313812256f);
  y = x == zero ? Splat(-__builtin_inff()) : y;
  y = x < zero ? Splat(__builtin_nanf("")) : y;
  // +inf and NaN stay.
  return x < Splat(__builtin_inff()) ? y : x;
}

}  // namespace paddle::lite::math::LITE_ISA
