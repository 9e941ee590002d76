#pragma once

#include "lite/kernels/cpu/math/isa/vec.h"

namespace paddle::lite::math::LITE_ISA {

LITE_INLINE V WidenInts(const int8_t* p) {
#if defined(__AVX512F__)
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  return __builtin_convertvector((VI)_mm512_maskz_cvtepi8_epi32(0xffff, bytes), V);
#elif defined(__AVX2__)
  const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
  return __builtin_convertvector((VI)_mm256_cvtepi8_epi32(bytes), V);
#elif defined(__wasm_simd128__)
  const v128_t words = wasm_i16x8_extend_low_i8x16(wasm_v128_load32_zero(p));
  return (V)wasm_f32x4_convert_i32x4(wasm_i32x4_extend_low_i16x8(words));
#else
  return V{float(p[0]), float(p[1]), float(p[2]), float(p[3])};
#endif
}

// Bytes without sign.
LITE_INLINE VI WidenBytes(const uint8_t* p) {
#if defined(__AVX512F__)
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  return (VI)_mm512_maskz_cvtepu8_epi32(0xffff, bytes);
#elif defined(__AVX2__)
  return (VI)_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
#elif defined(__x86_64__)
  int32_t word;
  __builtin_memcpy(&word, p, sizeof(word));
  const __m128i none = _mm_setzero_si128();
  return (VI)_mm_unpacklo_epi16(_mm_unpacklo_epi8(_mm_cvtsi32_si128(word), none), none);
#elif defined(__aarch64__)
  uint32_t word;
  __builtin_memcpy(&word, p, sizeof(word));
  return (VI)vmovl_u16(vget_low_u16(vmovl_u8(vcreate_u8(word))));
#elif defined(__wasm_simd128__)
  const v128_t words = wasm_u16x8_extend_low_u8x16(wasm_v128_load32_zero(p));
  return (VI)wasm_u32x4_extend_low_u16x8(words);
#else
  return VI{p[0], p[1], p[2], p[3]};
#endif
}

typedef int16_t VS __attribute__((vector_size(kW * 4)));
typedef int16_t VSUnaligned __attribute__((vector_size(kW * 4), aligned(2), may_alias));
typedef uint8_t VBUnaligned __attribute__((vector_size(kW * 2), aligned(1), may_alias));

LITE_INLINE VS ShortsOfBytes(const uint8_t* p) {
  return __builtin_convertvector(*reinterpret_cast<const VBUnaligned*>(p), VS);
}

}  // namespace paddle::lite::math::LITE_ISA
