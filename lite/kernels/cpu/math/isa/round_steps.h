#pragma once

// Reals to steps of 8 bits.

#include <type_traits>

#include "lite/kernels/cpu/math/int8.h"
#include "lite/kernels/cpu/math/isa/steps.h"
#include "lite/kernels/cpu/math/isa/widen.h"

namespace paddle::lite::math::LITE_ISA {

// Which way a row is rounded. kQuotient: to even, divided without a division.
enum class Ties { kAway, kToEven, kDivided, kQuotient };

// What ExactQuotient takes for a rounding to even: divided, or multiplied.
struct Division {
  explicit Division(const Int8Rounding& how)
      : by(how.divides ? how.factor : 1.0f / how.factor),
        inverse(how.divides ? 1.0f / how.factor : how.factor),
        mend(how.divides ? inverse : 0.0f) {}
  float by, inverse, mend;
};

// Reals to the integers of a rounding; parameters are splat once. What is given may be clamped
// first.
template <Ties kTies>
struct StepRounding {
  explicit StepRounding(const Int8Rounding& how, float low = -__builtin_inff(),
                        float high = __builtin_inff()) {
    // Quotients rise with what is divided: their bounds can be those of reals.
    const Division division(how);
    by = Splat(division.by), inverse = Splat(division.inverse), mend = Splat(division.mend);
    const float unit = kTies == Ties::kQuotient ? division.by : 1.0f;
    const float least = how.lowest * unit, most = how.highest * unit;
    lowest = Splat(low > least ? low : least);
    highest = Splat(high < least ? least : high < most ? high : most);
  }

  // Clipped first: then the rounding cannot leave the range, nor the conversion that of int32.
  LITE_INLINE_MEMBER VI operator()(V x) const {
    if (kTies == Ties::kQuotient) return NearestInts(ExactQuotient(Clipped(x), by, inverse, mend));
    const V v = Clipped(kTies == Ties::kDivided ? x / by : x * inverse);
    if (kTies != Ties::kAway) return NearestInts(v);
    // Less than a half is added, which with what has a half rounds to the next number.
    return __builtin_convertvector(v + CopySign(Splat(0x1.fffffep-2f), v), VI);
  }

  // NaN: the lowest.
  LITE_INLINE_MEMBER V Clipped(V x) const { return AtMost(Max(x, lowest), highest); }

  V by, inverse, mend, lowest, highest;
};

LITE_INLINE void StorePairs(int16_t* out, VI v) {
#if defined(__AVX512F__)
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                      _mm512_maskz_cvtepi32_epi16(0xffff, (__m512i)v));
#elif defined(__AVX2__)
  const __m128i low = _mm256_castsi256_si128((__m256i)v);
  const __m128i high = _mm256_extracti128_si256((__m256i)v, 1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_packs_epi32(low, high));
#elif defined(__aarch64__)
  vst1_s16(out, vmovn_s32((int32x4_t)v));
#elif defined(__wasm_simd128__)
  wasm_v128_store64_lane(out, wasm_i16x8_narrow_i32x4((v128_t)v, (v128_t)v), 0);
#else
  for (int i = 0; i < kW; ++i) out[i] = static_cast<int16_t>(v[i]);
#endif
}

#if defined(__AVX2__)
// Words of 16 bits of two vectors, of their halves or quarters by turns; what is beyond words is
// the nearest one.
LITE_INLINE VS PackWords(VI a, VI b) {
#if defined(__AVX512F__)
  return (VS)_mm512_packs_epi32((__m512i)a, (__m512i)b);
#else
  return (VS)_mm256_packs_epi32((__m256i)a, (__m256i)b);
#endif
}

LITE_INLINE VS AddWords(VS a, VS b) {
#if defined(__AVX512F__)
  return (VS)_mm512_adds_epi16((__m512i)a, (__m512i)b);
#else
  return (VS)_mm256_adds_epi16((__m256i)a, (__m256i)b);
#endif
}

LITE_INLINE VS SplatWords(int x) { return VS{} + static_cast<int16_t>(x); }

// The bytes of packed words, of which none is beyond bytes, in the order of the vectors.
LITE_INLINE auto BytesOfWords(VS words) {
#if defined(__AVX512F__)
  const __m256i order = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
  return _mm256_permutevar8x32_epi32(_mm512_maskz_cvtepi16_epi8(~__mmask32(0), (__m512i)words),
                                     order);
#else
  const __m256i ordered = _mm256_permute4x64_epi64((__m256i)words, 0xd8);
  return _mm_packus_epi16(_mm256_castsi256_si128(ordered), _mm256_extracti128_si256(ordered, 1));
#endif
}

LITE_INLINE void StoreWords(uint8_t* out, VS words) {
  const auto bytes = BytesOfWords(words);
  __builtin_memcpy(out, &bytes, sizeof(bytes));
}
#endif

LITE_INLINE void StoreQuads(uint8_t* out, VI v, int zero) {
  v += SplatInt(zero);
#if defined(__aarch64__)
  const int8x8_t bytes = vmovn_s16(vcombine_s16(vmovn_s32((int32x4_t)v), vdup_n_s16(0)));
  const int32_t word = vget_lane_s32(vreinterpret_s32_s8(bytes), 0);
  __builtin_memcpy(out, &word, sizeof(word));
#elif defined(__AVX512F__)
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm512_maskz_cvtepi32_epi8(0xffff, (__m512i)v));
#elif defined(__AVX2__)
  const __m128i low = _mm256_castsi256_si128((__m256i)v);
  const __m128i words = _mm_packs_epi32(low, _mm256_extracti128_si256((__m256i)v, 1));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_packus_epi16(words, words));
#elif defined(__wasm_simd128__)
  const v128_t words = wasm_i16x8_narrow_i32x4((v128_t)v, (v128_t)v);
  wasm_v128_store32_lane(out, wasm_u8x16_narrow_i16x8(words, words), 0);
#elif defined(__x86_64__)
  const __m128i words = _mm_packs_epi32((__m128i)v, (__m128i)v);
  const int bytes = _mm_cvtsi128_si32(_mm_packus_epi16(words, words));
  __builtin_memcpy(out, &bytes, sizeof(bytes));
#else
  for (int i = 0; i < kW; ++i) out[i] = static_cast<uint8_t>(v[i]);
#endif
}

// Two vectors, of which one lies behind the other.
LITE_INLINE void StoreTwoQuads(uint8_t* out, VI a, VI b, int zero) {
#if defined(__AVX2__)
  StoreWords(out, PackWords(a, b) + SplatWords(zero));
#elif defined(__aarch64__)
  const int16x8_t words = vcombine_s16(vmovn_s32((int32x4_t)a), vmovn_s32((int32x4_t)b));
  const int8x8_t bytes = vmovn_s16(vaddq_s16(words, vdupq_n_s16(static_cast<int16_t>(zero))));
  vst1_u8(out, vreinterpret_u8_s8(bytes));
#elif defined(__wasm_simd128__)
  const v128_t words = wasm_i16x8_narrow_i32x4((v128_t)(a + zero), (v128_t)(b + zero));
  wasm_v128_store64_lane(out, wasm_u8x16_narrow_i16x8(words, words), 0);
#elif defined(__x86_64__)
  const __m128i words = _mm_packs_epi32((__m128i)(a + zero), (__m128i)(b + zero));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_packus_epi16(words, words));
#else
  StoreQuads(out, a, zero);
  StoreQuads(out + kW, b, zero);
#endif
}

// Calls run with the way as a constant.
template <typename Run>
LITE_INLINE void WithTies(const Int8Rounding& how, Run run) {
  if (how.divides && HasExactQuotients(how.factor))
    return run(std::integral_constant<Ties, Ties::kQuotient>());
  if (how.divides) return run(std::integral_constant<Ties, Ties::kDivided>());
  if (how.ties_to_even) return run(std::integral_constant<Ties, Ties::kToEven>());
  run(std::integral_constant<Ties, Ties::kAway>());
}

// What Int8Table is made of.
void RoundRow(const float* x, int64_t count, const Int8Rounding& how, bool quads, char* out);
void RoundReals(const float* x, int64_t count, const Int8Rounding& how, float scale, float bound,
                float* out);

// Bytes less `less`, as bytes with `quads`, else int16.
void TakeBytes(const uint8_t* x, int64_t count, int less, bool quads, char* out);

// out = (byte - zero) * scale
void RealsOfBytes(const uint8_t* x, int64_t count, float scale, int zero, float* out);

// out[i] = table[x[i]], of 256 entries
void MapBytes(const uint8_t* x, int64_t count, const uint8_t* table, uint8_t* out);

// Rows of reals to bytes.
void RoundBlock(int64_t rows, int64_t cols, const float* x, int64_t ldx, const Int8Rounding& how,
                uint8_t* out, int64_t ldout);

}  // namespace paddle::lite::math::LITE_ISA
