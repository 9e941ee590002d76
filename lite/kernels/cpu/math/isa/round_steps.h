#pragma once

// Reals to steps of 8 bits.

#include <type_traits>

#include "lite/kernels/cpu/math/int8.h"
#include "lite/kernels/cpu/math/isa/steps.h"

namespace paddle::lite::math::LITE_ISA {

// Which way a row is rounded. kQuotient: to even, divided without a division.
enum class Ties { kAway, kToEven, kDivided, kQuotient };

// Reals to the integers of a rounding; parameters are splat once.
template <Ties kTies>
struct StepRounding {
  explicit StepRounding(const Int8Rounding& how)
      : factor(Splat(how.factor)),
        lowest(Splat(how.lowest)),
        highest(Splat(how.highest)),
        inverse(Splat(1.0f / how.factor)) {}

  // Clipped first: then the rounding cannot leave the range, nor the conversion that of int32.
  LITE_INLINE_MEMBER VI operator()(V x) const {
    const V scaled = kTies == Ties::kQuotient  ? Quotient(x)
                     : kTies == Ties::kDivided ? x / factor
                                               : x * factor;
    const V v = AtMost(Max(scaled, lowest), highest);  // NaN: the lowest
    if (kTies != Ties::kAway) return NearestInts(v);
    const VI whole = __builtin_convertvector(v, VI);
    const V rest = v - __builtin_convertvector(whole, V);
    return whole - (rest >= Splat(0.5f)) + (rest <= Splat(-0.5f));
  }

  // As ActOp's, but that NaN stands for what is below all bounds.
  LITE_INLINE_MEMBER V Quotient(V x) const {
    V quotient = AtMost(x * inverse, highest), rest = x;
    MulAdd(&rest, quotient, -factor);
    MulAdd(&quotient, rest, inverse);
    return quotient;
  }

  V factor, lowest, highest, inverse;
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
#else
  for (int i = 0; i < kW; ++i) out[i] = static_cast<uint8_t>(v[i]);
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
