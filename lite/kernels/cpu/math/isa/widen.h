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
#else
  return VI{p[0], p[1], p[2], p[3]};
#endif
}

}  // namespace paddle::lite::math::LITE_ISA
