#pragma once

// AVX-512 and the dot products of bytes in software, for machines without: what Intel's manual says
// that the intrinsics do which the sources of an instruction set call, over vectors that the
// compiler splits for AVX2. A build with LITE_WITH_ISA_MODEL puts it in front of them, with
// LITE_AVX512_MODEL for those of AVX-512. An intrinsic that is missing here does not compile.

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include <cmath>

#define LITE_TARGET(features)

namespace isa_model {

#define MODEL inline __attribute__((always_inline))

template <typename To, typename From>
MODEL To Bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof(to));
  return to;
}

template <typename To>
MODEL To Read(const void* from) {
  To to;
  memcpy(&to, from, sizeof(to));
  return to;
}

template <typename T>
MODEL void Write(void* to, T value) {
  memcpy(to, &value, sizeof(value));
}

// sum + the products of four bytes, of which those of a have no sign.
template <typename T>
MODEL T dpbusd(T sum, T a, T b) {
  constexpr int kLanes = sizeof(T) / 4;
  int32_t sums[kLanes];
  uint8_t left[kLanes * 4];
  int8_t right[kLanes * 4];
  memcpy(sums, &sum, sizeof(sum)), memcpy(left, &a, sizeof(a)), memcpy(right, &b, sizeof(b));
  for (int i = 0; i < kLanes * 4; ++i)
    sums[i / 4] = static_cast<int32_t>(static_cast<uint32_t>(sums[i / 4]) +
                                       static_cast<uint32_t>(left[i] * right[i]));
  return Bits<T>(sums);
}

#if defined(LITE_AVX512_MODEL)
// Calls of AVX2's instruction on both halves.
template <typename T, typename Half, typename Of>
MODEL T InHalves(Of of) {
  const Half halves[2] = {of(0), of(1)};
  return Bits<T>(halves);
}
MODEL __m256 Half(__m512 x, int half) {
  return Read<__m256>(reinterpret_cast<const char*>(&x) + 32 * half);
}
MODEL __m256i Half(__m512i x, int half) {
  return Read<__m256i>(reinterpret_cast<const char*>(&x) + 32 * half);
}

#define MODEL_OF_PAIRS(T, Half256, name)                                    \
  MODEL T name(T a, T b) {                                                  \
    return InHalves<T, Half256>([&](int h) __attribute__((always_inline)) { \
      return _mm256_##name(Half(a, h), Half(b, h));                         \
    });                                                                     \
  }
MODEL_OF_PAIRS(__m512i, __m256i, adds_epi16)
MODEL_OF_PAIRS(__m512i, __m256i, add_epi32)
MODEL_OF_PAIRS(__m512i, __m256i, madd_epi16)
MODEL_OF_PAIRS(__m512i, __m256i, maddubs_epi16)
MODEL_OF_PAIRS(__m512i, __m256i, max_epu8)
MODEL_OF_PAIRS(__m512i, __m256i, min_epu8)
MODEL_OF_PAIRS(__m512i, __m256i, packs_epi32)
MODEL_OF_PAIRS(__m512i, __m256i, packus_epi16)
MODEL_OF_PAIRS(__m512i, __m256i, unpacklo_epi8)
MODEL_OF_PAIRS(__m512i, __m256i, unpackhi_epi8)
MODEL_OF_PAIRS(__m512i, __m256i, unpacklo_epi16)
MODEL_OF_PAIRS(__m512i, __m256i, unpackhi_epi16)
MODEL_OF_PAIRS(__m512, __m256, max_ps)
MODEL_OF_PAIRS(__m512, __m256, min_ps)
#undef MODEL_OF_PAIRS

MODEL __m512 fmadd_ps(__m512 a, __m512 b, __m512 c) {
  return InHalves<__m512, __m256>([&](int h) __attribute__((always_inline)) {
    return _mm256_fmadd_ps(Half(a, h), Half(b, h), Half(c, h));
  });
}
MODEL __m512 sqrt_ps(__m512 x) {
  return InHalves<__m512, __m256>([&](int h) __attribute__((always_inline)) {
    return _mm256_sqrt_ps(Half(x, h));
  });
}
MODEL __m512i cvtps_epi32(__m512 x) {
  return InHalves<__m512i, __m256i>([&](int h) __attribute__((always_inline)) {
    return _mm256_cvtps_epi32(Half(x, h));
  });
}
MODEL __m512 cvtph_ps(__m256i x) {
  return InHalves<__m512, __m256>([&](int h) __attribute__((always_inline)) {
    return _mm256_cvtph_ps(h == 0 ? _mm256_castsi256_si128(x) : _mm256_extracti128_si256(x, 1));
  });
}

MODEL __m512 set1_ps(float x) { return __m512{} + x; }
MODEL __m512i set1_epi32(int x) {
  return InHalves<__m512i, __m256i>([&](int) { return _mm256_set1_epi32(x); });
}

// Lanes of which the mask has no bit are 0 where they are read, and not touched in memory.
template <typename T, typename To>
MODEL To MaskedRead(uint64_t mask, const void* from) {
  T lanes[sizeof(To) / sizeof(T)] = {};
  for (unsigned i = 0; i < sizeof(To) / sizeof(T); ++i)
    if (mask >> i & 1) memcpy(lanes + i, static_cast<const T*>(from) + i, sizeof(T));
  return Bits<To>(lanes);
}
template <typename T, typename From>
MODEL void MaskedWrite(void* to, uint64_t mask, From from) {
  T lanes[sizeof(From) / sizeof(T)];
  memcpy(lanes, &from, sizeof(from));
  for (unsigned i = 0; i < sizeof(From) / sizeof(T); ++i)
    if (mask >> i & 1) memcpy(static_cast<T*>(to) + i, lanes + i, sizeof(T));
}

// The lanes of x as another type; those that the mask leaves out are 0.
template <typename To, typename T, typename Lane, typename From>
MODEL To MaskedConvert(uint64_t mask, From x) {
  constexpr int kLanes = sizeof(From) / sizeof(Lane);
  Lane lanes[kLanes];
  memcpy(lanes, &x, sizeof(x));
  T to[kLanes];
  for (int i = 0; i < kLanes; ++i) to[i] = mask >> i & 1 ? static_cast<T>(lanes[i]) : T();
  return Bits<To>(to);
}

// a in each lane of the mask, else 0.
MODEL __m512 Kept(__mmask16 mask, __m512 a) { return MaskedConvert<__m512, float, float>(mask, a); }
MODEL __m512i Kept(__mmask16 mask, __m512i a) {
  return MaskedConvert<__m512i, int32_t, int32_t>(mask, a);
}

// Denormals are 0 where dot products of bf16 read them and where they give them.
MODEL float Flushed(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }
MODEL float OfBf16(uint16_t x) { return Flushed(Bits<float>(static_cast<uint32_t>(x) << 16)); }

// Two products are added one after the other, the odd one first.
MODEL __m512 dpbf16(__m512 sum, __m512i a, __m512i b) {
  float sums[16];
  uint16_t left[32], right[32];
  memcpy(sums, &sum, sizeof(sum)), memcpy(left, &a, sizeof(a)), memcpy(right, &b, sizeof(b));
  for (int i = 0; i < 16; ++i)
    for (int odd = 1; odd >= 0; --odd)
      sums[i] = Flushed(
          std::fma(OfBf16(left[2 * i + odd]), OfBf16(right[2 * i + odd]), Flushed(sums[i])));
  return Bits<__m512>(sums);
}

// The nearest bf16, of two the even one; denormals are 0, NaN becomes quiet.
MODEL __m256i cvtneps_pbh(__m512 x) {
  uint32_t bits[16];
  uint16_t halves[16];
  memcpy(bits, &x, sizeof(x));
  for (int i = 0; i < 16; ++i) {
    const uint32_t size = bits[i] & 0x7fffffff;
    if (size > 0x7f800000)
      bits[i] |= 0x400000;
    else if (size < 0x00800000)
      bits[i] &= 0x80000000;
    else
      bits[i] += 0x7fff + (bits[i] >> 16 & 1);
    halves[i] = static_cast<uint16_t>(bits[i] >> 16);
  }
  return Bits<__m256i>(halves);
}

MODEL __m512 scalef(__m512 a, __m512 b) {
  float x[16], power[16];
  memcpy(x, &a, sizeof(a)), memcpy(power, &b, sizeof(b));
  for (int i = 0; i < 16; ++i) {
    const float n = std::floor(power[i]);
    if (std::isnan(n))
      x[i] = n;
    else
      x[i] = std::ldexp(x[i], n < -1000 ? -1000 : n > 1000 ? 1000 : static_cast<int>(n));
  }
  return Bits<__m512>(x);
}

// An index reads its lowest bits only.
MODEL __m512 permutexvar_ps(__m512i at, __m512 of) {
  uint32_t index[16];
  float from[16], to[16];
  memcpy(index, &at, sizeof(at)), memcpy(from, &of, sizeof(of));
  for (int i = 0; i < 16; ++i) to[i] = from[index[i] & 15];
  return Bits<__m512>(to);
}
MODEL __m512i permutex2var_epi8(__m512i a, __m512i at, __m512i b) {
  uint8_t from[128], index[64], to[64];
  memcpy(from, &a, 64), memcpy(from + 64, &b, 64), memcpy(index, &at, 64);
  for (int i = 0; i < 64; ++i) to[i] = from[index[i] & 127];
  return Bits<__m512i>(to);
}
MODEL __mmask64 movepi8_mask(__m512i x) {
  return static_cast<uint32_t>(_mm256_movemask_epi8(Half(x, 0))) |
         static_cast<uint64_t>(static_cast<uint32_t>(_mm256_movemask_epi8(Half(x, 1)))) << 32;
}
MODEL __m512i mask_mov_epi8(__m512i other, __mmask64 mask, __m512i a) {
  MaskedWrite<uint8_t>(&other, mask, a);
  return other;
}
template <int predicate>
MODEL __mmask16 CompareMask(__m512 a, __m512 b) {
  const auto mask = [&](int h) __attribute__((always_inline)) {
    return _mm256_movemask_ps(_mm256_cmp_ps(Half(a, h), Half(b, h), predicate));
  };
  return static_cast<__mmask16>(mask(0) | mask(1) << 8);
}

#endif
#undef MODEL

}  // namespace isa_model

#undef _mm256_dpbusd_avx_epi32
#undef _mm_dpbusd_avx_epi32
#define _mm256_dpbusd_avx_epi32 isa_model::dpbusd<__m256i>
#define _mm_dpbusd_avx_epi32 isa_model::dpbusd<__m128i>
#if defined(LITE_AVX512_MODEL)
#define __AVX512F__ 1
#define __AVX512BW__ 1
#define __AVX512DQ__ 1
#define __AVX512VL__ 1
// Of the sources compiled so, all ask for what the model has.
#define __builtin_cpu_supports(feature) true

#define _mm512_adds_epi16 isa_model::adds_epi16
#define _mm512_add_epi32 isa_model::add_epi32
#define _mm512_madd_epi16 isa_model::madd_epi16
#define _mm512_maddubs_epi16 isa_model::maddubs_epi16
#define _mm512_max_epu8 isa_model::max_epu8
#define _mm512_min_epu8 isa_model::min_epu8
#define _mm512_packs_epi32 isa_model::packs_epi32
#define _mm512_packus_epi16 isa_model::packus_epi16
#define _mm512_unpacklo_epi8 isa_model::unpacklo_epi8
#define _mm512_unpackhi_epi8 isa_model::unpackhi_epi8
#define _mm512_unpacklo_epi16 isa_model::unpacklo_epi16
#define _mm512_unpackhi_epi16 isa_model::unpackhi_epi16
#define _mm512_fmadd_ps isa_model::fmadd_ps
#define _mm512_set1_ps isa_model::set1_ps
#define _mm512_set1_epi32 isa_model::set1_epi32
#define _mm512_permutex2var_epi8 isa_model::permutex2var_epi8
#define _mm512_movepi8_mask isa_model::movepi8_mask
#define _mm512_mask_mov_epi8 isa_model::mask_mov_epi8
#define _mm512_cvtneps_pbh isa_model::cvtneps_pbh
#define _mm512_dpbusd_epi32 isa_model::dpbusd<__m512i>
#undef _mm256_dpbusd_epi32
#undef _mm_dpbusd_epi32
#define _mm256_dpbusd_epi32 isa_model::dpbusd<__m256i>
#define _mm_dpbusd_epi32 isa_model::dpbusd<__m128i>
#define __m512bh __m512i
#define _mm512_dpbf16_ps isa_model::dpbf16
#define _mm512_loadu_si512 isa_model::Read<__m512i>
#define _mm512_storeu_si512 isa_model::Write<__m512i>
#define _mm512_castps512_ps256(x) isa_model::Half(x, 0)
#define _mm512_castps256_ps512(x) isa_model::InHalves<__m512, __m256>([&](int) { return x; })
#define _mm512_maskz_max_ps(mask, a, b) isa_model::Kept(mask, isa_model::max_ps(a, b))
#define _mm512_maskz_min_ps(mask, a, b) isa_model::Kept(mask, isa_model::min_ps(a, b))
#define _mm512_maskz_sqrt_ps(mask, x) isa_model::Kept(mask, isa_model::sqrt_ps(x))
#define _mm512_maskz_scalef_ps(mask, a, b) isa_model::Kept(mask, isa_model::scalef(a, b))
#define _mm512_maskz_cvtps_epi32(mask, x) isa_model::Kept(mask, isa_model::cvtps_epi32(x))
#define _mm512_maskz_cvtph_ps(mask, x) isa_model::Kept(mask, isa_model::cvtph_ps(x))
#define _mm512_maskz_permutexvar_ps(mask, at, of) \
  isa_model::Kept(mask, isa_model::permutexvar_ps(at, of))
#define _mm512_maskz_loadu_ps isa_model::MaskedRead<float, __m512>
#define _mm512_maskz_loadu_epi16 isa_model::MaskedRead<int16_t, __m512i>
#define _mm512_mask_storeu_ps isa_model::MaskedWrite<float, __m512>
#define _mm256_mask_storeu_epi16 isa_model::MaskedWrite<int16_t, __m256i>
#define _mm512_maskz_cvtepi8_epi32 isa_model::MaskedConvert<__m512i, int32_t, int8_t, __m128i>
#define _mm512_maskz_cvtepu8_epi32 isa_model::MaskedConvert<__m512i, int32_t, uint8_t, __m128i>
#define _mm512_maskz_cvtepi32_epi16 isa_model::MaskedConvert<__m256i, int16_t, int32_t, __m512i>
#define _mm512_maskz_cvtepi32_epi8 isa_model::MaskedConvert<__m128i, int8_t, int32_t, __m512i>
#define _mm512_maskz_cvtepi16_epi8 isa_model::MaskedConvert<__m256i, int8_t, int16_t, __m512i>
#define _mm512_cmp_ps_mask(a, b, predicate) isa_model::CompareMask<predicate>(a, b)
#endif
