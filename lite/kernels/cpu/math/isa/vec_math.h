#pragma once

// exp, tanh, erf and sigmoid of a vector, each within 2e-7 relative of the true value (4e-7 without
// FMA). NaN stays NaN; overflow gives inf and 1, underflow goes through the
// denormals to 0.

#include "lite/kernels/cpu/math/isa/vec.h"

namespace paddle::lite::math::LITE_ISA {

// p * 2^n for integral n in [-252, 252].
LITE_INLINE V ScaleByPowerOfTwo(V p, V n_plus_magic, V n) {
#if defined(__AVX512F__)
  (void)n_plus_magic;
  return _mm512_maskz_scalef_ps(0xffff, p, n);  // The plain one warns in GCC 12.
#else
  (void)n;
  // Two factors, since 2^n alone may be out of range where the product is not.
  const VI whole = (VI)n_plus_magic - SplatInt(0x4b400000);
  const VI half = whole >> 1;
  const VI bias = SplatInt(127);
  return p * (V)((half + bias) << 23) * (V)((whole - half + bias) << 23);
#endif
}

constexpr float kLog2E = 1.44269504088896341f;
// Added to a float, 1.5 * 2^23 rounds it to an integer, which is then in the low bits.
constexpr float kRound = 12582912.0f;

// exp(x) / 2^n - 1 for an integral n near x / ln 2.
LITE_INLINE V ExpAfterPowerLessOne(V x, V n) {
  // ln 2 in two parts; the first has few bits, so that n times it is exact.
  const V r = (x - n * Splat(0.693359375f)) - n * Splat(-2.12194440e-4f);
  V q = Splat(0.0013950599823147058f);
  q = q * r + Splat(0.008368954062461853f);
  q = q * r + Splat(0.04166620597243309f);
  q = q * r + Splat(0.166665181517601f);
  q = q * r + Splat(0.5f);
  return (q * r) * r + r;
}

LITE_INLINE V ExpAfterPower(V x, V n) { return ExpAfterPowerLessOne(x, n) + Splat(1.0f); }

LITE_INLINE V Exp(V x) {
  x = Clamp(x, Splat(-104.0f), Splat(89.0f));
  const V rounded = x * Splat(kLog2E) + Splat(kRound);
  const V n = rounded - Splat(kRound);
  return ScaleByPowerOfTwo(ExpAfterPower(x, n), rounded, n);
}

// exp(x) - 1, as exact near 0.
LITE_INLINE V ExpLessOne(V x) {
  const V most = Clamp(x, Splat(-104.0f), Splat(1.0f));
  const V rounded = most * Splat(kLog2E) + Splat(kRound);
  const V n = rounded - Splat(kRound), one = Splat(1.0f);
  const V power = ScaleByPowerOfTwo(one, rounded, n);
  const V small = power * ExpAfterPowerLessOne(most, n) + (power - one);
  return x > one ? Exp(x) - one : small;
}

// For x <= 0; what would be a denormal is 0.
LITE_INLINE V ExpOfNegative(V x) {
  const V magic = Splat(kRound + 127);  // the low bits are the exponent of 2^n
  const V rounded = x * Splat(kLog2E) + magic;
  const V p = ExpAfterPower(x, rounded - magic) * (V)((VI)rounded << 23);
  return x < Splat(-87.0f) ? Splat(0.0f) : p;
}

// 2^x for x <= 0; what would be a denormal is 0.
LITE_INLINE V PowerOfTwo(V x) {
  const V magic = Splat(kRound + 127);
  const V rounded = x + magic;
  const V r = x - (rounded - magic);
  V p = Splat(0.0013264727255444778f);
  p = p * r + Splat(0.009671512785658415f);
  p = p * r + Splat(0.05550733744460744f);
  p = p * r + Splat(0.24022242083113973f);
  p = p * r + Splat(0.6931469775976873f);
  p = p * r + Splat(1.0f);
  return x < Splat(-126.0f) ? Splat(0.0f) : p * (V)((VI)rounded << 23);
}

LITE_INLINE V Sigmoid(V x) { return Splat(1.0f) / (Splat(1.0f) + Exp(-x)); }

// The same to 2e-7 of 1, not of itself: faster, for what is multiplied with a number like x.
LITE_INLINE V FastSigmoid(V x) {
  // Less a half it is x times a rational function of x^2, which passes a half at 16.6.
  const V z = AtMost(x * x, Splat(275.56f));
  V p = Splat(1.4139415333014327e-11f);
  p = p * z + Splat(8.352441938086486e-08f);
  p = p * z + Splat(5.533240982913412e-05f);
  p = p * z + Splat(0.008386957459151745f);
  p = p * z + Splat(0.2499999850988388f);
  V q = Splat(3.212763166615673e-09f);
  q = q * z + Splat(5.251884886092739e-06f);
  q = q * z + Splat(0.0016281026182696223f);
  q = q * z + Splat(0.1168811172246933f);
  q = q * z + Splat(1.0f);
  return Splat(0.5f) + Clamp(x * p / q, Splat(-0.5f), Splat(0.5f));
}

LITE_INLINE V Abs(V x) { return (V)((VI)x & SplatInt(0x7fffffff)); }

LITE_INLINE V CopySign(V magnitude, V sign) {
  return (V)((VI)magnitude | ((VI)sign & SplatInt(static_cast<int32_t>(0x80000000u))));
}

LITE_INLINE V Tanh(V x) {
  const V a = Abs(x);
  const V z = x * x;
  V p = Splat(0.0015930334338918328f);
  p = p * z + Splat(-0.007425205782055855f);
  p = p * z + Splat(0.021314002573490143f);
  p = p * z + Splat(-0.05385585129261017f);
  p = p * z + Splat(0.13332270085811615f);
  p = p * z + Splat(-0.33333298563957214f);
  const V small = x + x * (z * p);
  const V large = Splat(1.0f) - Splat(2.0f) / (Exp(a + a) + Splat(1.0f));
  return a < Splat(0.8f) ? small : CopySign(large, x);
}

LITE_INLINE V Erf(V x) {
  const V a = Abs(x);
  const V z = x * x;
  V p = Splat(7.889119297033176e-05f);
  p = p * z + Splat(-0.0008020841050893068f);
  p = p * z + Splat(0.005189535208046436f);
  p = p * z + Splat(-0.026854444295167923f);
  p = p * z + Splat(0.11283600330352783f);
  p = p * z + Splat(-0.3761262595653534f);
  p = p * z + Splat(1.1283791671f);
  const V small = x * p;
  // log(erfc(a)); erf is 1 in float from 4 on.
  const V b = AtMost(a, Splat(4.0f));
  V q = Splat(-2.1686850232072175e-05f);
  q = q * b + Splat(0.00044133636401966214f);
  q = q * b + Splat(-0.004204561933875084f);
  q = q * b + Splat(0.025208257138729095f);
  q = q * b + Splat(-0.10841857641935349f);
  q = q * b + Splat(-0.6332198977470398f);
  q = q * b + Splat(-1.1295784711837769f);
  q = q * b + Splat(0.0001880402269307524f);
  const V large = Splat(1.0f) - Exp(q);
  return a < Splat(1.0f) ? small : CopySign(large, x);
}

// x times the normal distribution's share below x, to 3e-7 of |x|: less exact, and faster, than
// Erf.
LITE_INLINE V Gelu(V x) {
  // The share less a half is x times a rational function of x^2, which passes a half where the
  // share is 1 in float.
  const V z = AtMost(x * x, Splat(30.0f));
  V p = Splat(7.04410468e-06f);
  p = p * z + Splat(0.000390669942f);
  p = p * z + Splat(0.00602143724f);
  p = p * z + Splat(0.0564714558f);
  p = p * z + Splat(0.398941636f);
  V q = Splat(5.82630662e-07f);
  q = q * z + Splat(0.000140242657f);
  q = q * z + Splat(0.00314862956f);
  q = q * z + Splat(0.0414799303f);
  q = q * z + Splat(0.308209568f);
  q = q * z + Splat(1.0f);
  return x * (Splat(0.5f) + Clamp(x * p / q, Splat(-0.5f), Splat(0.5f)));
}

// The nearest float to 1/6 is 3e-8 too large, and each layer would add that to the next. With this
// factor (and 6 times it as the divisor) the reciprocal is exact to 1e-10. The tiles' assembly for
// Arm has none.
#if defined(__aarch64__)
constexpr float kHardSwishFactor = 1;
#else
constexpr float kHardSwishFactor = 683.0f / 4096;
#endif

// x * clip(x + offset, 0, limit) * scale, where the last three have the factor in them.
LITE_INLINE V HardSwish(V x, V limit, V scale, V offset) {
  MulAdd(&offset, x, Splat(kHardSwishFactor));
  return x * Clamp(offset, V{}, limit) * scale;
}

// x, times `slope` where it is below zero.
LITE_INLINE V Slope(V x, V slope) { return x < V{} ? x * slope : x; }

}  // namespace paddle::lite::math::LITE_ISA
