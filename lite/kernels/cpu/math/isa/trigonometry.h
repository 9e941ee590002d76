#pragma once

// sin, cos and atan of a vector, each within 2e-7 of the largest value.

#include <cmath>

#include "lite/kernels/cpu/math/isa/rounding.h"

namespace paddle::lite::math::LITE_ISA {

// The sine of x + `quarters` quarter turns, |x| <= 8192.
LITE_INLINE V SinOfQuarters(V x, int quarters) {
  const V n = Rint(x * Splat(0.636619772367581343f));
  // pi / 2 in three parts; the first two have few bits, so that n times them is exact.
  const V r = ((x - n * Splat(1.5703125f)) - n * Splat(4.837512969970703125e-4f)) -
              n * Splat(7.5497899548918821e-8f);
  const V z = r * r;
  const V sine =
      r + r * z * ((Splat(-0.00019516656f) * z + Splat(0.008332173f)) * z + Splat(-0.16666655f));
  const V cosine = (Splat(2.443773e-05f) * z + Splat(-0.0013887362f)) * z + Splat(0.041666646f);
  const V other = (cosine * z) * z - Splat(0.5f) * z + Splat(1.0f);
  const VI turn = (VI)(n + Splat(kRound)) + SplatInt(quarters);
  const V value = (turn & SplatInt(1)) != SplatInt(0) ? other : sine;
  return (V)((VI)value ^ ((turn & SplatInt(2)) << 30));
}

LITE_INLINE V Atan(V x) {
  const V size = Abs(x), one = Splat(1.0f);
  const V t = size > one ? one / size : size, z = t * t;
  V p = Splat(0.002920691f);
  p = p * z + Splat(-0.016367923f);
  p = p * z + Splat(0.04321185f);
  p = p * z + Splat(-0.07552214f);
  p = p * z + Splat(0.106660046f);
  p = p * z + Splat(-0.14211056f);
  p = p * z + Splat(0.19993773f);
  p = p * z + Splat(-0.33333153f);
  const V y = t + t * z * p;
  const V turned = size > one ? Splat(1.57079632679489662f) - y : y;
  return x == x ? CopySign(turned, x) : x;
}

}  // namespace paddle::lite::math::LITE_ISA
