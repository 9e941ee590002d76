#pragma once

// One float vector of the instruction set that this file is compiled for.

#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>
#if defined(_MSC_VER)  // clang-cl's leaves out what functions here ask for by themselves
#if defined(__AVX2__)
#include <avxvnniintrin.h>
#include <f16cintrin.h>
#endif
#if defined(__AVX512F__)
#include <avx512bf16intrin.h>
#include <avx512vbmiintrin.h>
#include <avx512vlvnniintrin.h>
#include <avx512vnniintrin.h>
#endif
#endif
#elif defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#if !defined(LITE_TARGET)  // tests/math/isa_model.h stands in front where it is
#define LITE_TARGET(features) __attribute__((target(features)))
#endif
#define LITE_INLINE static inline __attribute__((always_inline))
#define LITE_INLINE_MEMBER inline __attribute__((always_inline))
#define LITE_INLINE_STATIC static inline __attribute__((always_inline))

namespace paddle::lite::math::LITE_ISA {

#if defined(__AVX512F__)
constexpr int kW = 16;
#elif defined(__AVX2__)
constexpr int kW = 8;
#else
constexpr int kW = 4;
#endif

typedef float V __attribute__((vector_size(kW * 4)));
typedef int32_t VI __attribute__((vector_size(kW * 4)));
typedef float VUnaligned __attribute__((vector_size(kW * 4), aligned(4), may_alias));

LITE_INLINE V Load(const float* p) { return *reinterpret_cast<const VUnaligned*>(p); }
LITE_INLINE void Store(float* p, V v) { *reinterpret_cast<VUnaligned*>(p) = v; }

LITE_INLINE V Splat(float x) {
#if defined(__AVX512F__)
  return _mm512_set1_ps(x);
#elif defined(__AVX2__)
  return _mm256_set1_ps(x);
#else
  return V{x, x, x, x};
#endif
}

LITE_INLINE VI SplatInt(int32_t x) {
#if defined(__AVX512F__)
  return (VI)_mm512_set1_epi32(x);
#elif defined(__AVX2__)
  return (VI)_mm256_set1_epi32(x);
#else
  return VI{x, x, x, x};
#endif
}

#if defined(__AVX2__) && !defined(__AVX512F__)
LITE_INLINE __m256i LaneMask(int lanes) {
  alignas(32) static const int32_t kMask[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kMask + 8 - lanes));
}
#endif

#if !defined(__AVX2__) && !defined(__aarch64__)
// Calls: inlined into every tail, these branches were a fifth of such a set's code.
inline __attribute__((noinline)) V LoadTail(const float* p, int lanes) {
  V v = {0, 0, 0, 0};
  if (lanes >= 4) return Load(p);
  if (lanes > 0) v[0] = p[0];
  if (lanes > 1) v[1] = p[1];
  if (lanes > 2) v[2] = p[2];
  return v;
}

inline __attribute__((noinline)) void StoreTail(float* p, V v, int lanes) {
  if (lanes >= 4) return Store(p, v);
  if (lanes > 0) p[0] = v[0];
  if (lanes > 1) p[1] = v[1];
  if (lanes > 2) p[2] = v[2];
}
#endif

// The first 0 <= lanes <= kW elements; the other lanes are 0 and their memory is not touched.
LITE_INLINE V LoadN(const float* p, int lanes) {
#if defined(__AVX512F__)
  return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << lanes) - 1), p);
#elif defined(__AVX2__)
  return _mm256_maskload_ps(p, LaneMask(lanes));
#elif defined(__aarch64__)
  if (lanes >= 4) return Load(p);
  float32x4_t v = vdupq_n_f32(0);
  if (lanes & 2) {
    v = vcombine_f32(vld1_f32(p), vdup_n_f32(0));
    if (lanes & 1) v = vld1q_lane_f32(p + 2, v, 2);
  } else if (lanes & 1) {
    v = vld1q_lane_f32(p, v, 0);
  }
  return (V)v;
#else
  return LoadTail(p, lanes);
#endif
}

LITE_INLINE void StoreN(float* p, V v, int lanes) {
#if defined(__AVX512F__)
  _mm512_mask_storeu_ps(p, static_cast<__mmask16>((1u << lanes) - 1), v);
#elif defined(__AVX2__)
  // Masked stores are slow on some CPUs; `lanes` seldom changes, so the branches are predicted.
  if (lanes >= 8) return Store(p, v);
  __m128 low = _mm256_castps256_ps128(v);
  if (lanes & 4) {
    _mm_storeu_ps(p, low);
    low = _mm256_extractf128_ps(v, 1);
    p += 4;
  }
  if (lanes & 2) {
    _mm_storel_pi(reinterpret_cast<__m64*>(p), low);
    low = _mm_movehl_ps(low, low);
    p += 2;
  }
  if (lanes & 1) _mm_store_ss(p, low);
#elif defined(__aarch64__)
  if (lanes >= 4) return Store(p, v);
  if (lanes & 2) {
    vst1_f32(p, vget_low_f32((float32x4_t)v));
    if (lanes & 1) vst1q_lane_f32(p + 2, (float32x4_t)v, 2);
  } else if (lanes & 1) {
    vst1q_lane_f32(p, (float32x4_t)v, 0);
  }
#else
  StoreTail(p, v, lanes);
#endif
}

// Whether MulAdd rounds once.
#if defined(__AVX512F__) || defined(__FMA__) || defined(__aarch64__)
constexpr bool kFused = true;
#else
constexpr bool kFused = false;
#endif

// *sum += x * y. GCC 12 moves the sums of a loop from register to register, and to memory, when it
// chooses the form of the instruction itself.
LITE_INLINE void MulAdd(V* sum, V x, V y) {
#if defined(LITE_AVX512_MODEL)
  *sum = _mm512_fmadd_ps(x, y, *sum);
#elif defined(__AVX512F__)
  asm("vfmadd231ps %2, %1, %0" : "+v"(*sum) : "v"(x), "v"(y));
#elif defined(__FMA__)
  asm("vfmadd231ps %2, %1, %0" : "+x"(*sum) : "x"(x), "x"(y));
#elif defined(__aarch64__)
  *sum = (V)vfmaq_f32((float32x4_t)*sum, (float32x4_t)x, (float32x4_t)y);
#else
  *sum += x * y;
#endif
}

constexpr int kLineFloats = 16;

// Asks for the cache line at p, which need not exist.
LITE_INLINE void PrefetchL2(const float* p) { __builtin_prefetch(p, 0, 2); }

// The second operand where either is NaN; on Arm the NaN.
LITE_INLINE V Max(V a, V b) {
#if defined(__AVX512F__)
  return _mm512_maskz_max_ps(0xffff, a, b);  // The plain one warns in GCC 12.
#elif defined(__AVX2__)
  return _mm256_max_ps(a, b);
#elif defined(__x86_64__)
  return _mm_max_ps(a, b);
#elif defined(__aarch64__)
  return (V)vmaxq_f32((float32x4_t)a, (float32x4_t)b);
#elif defined(__wasm_simd128__)
  return (V)wasm_f32x4_pmax((v128_t)b, (v128_t)a);
#else
  return a > b ? a : b;
#endif
}
LITE_INLINE V Min(V a, V b) {
#if defined(__AVX512F__)
  return _mm512_maskz_min_ps(0xffff, a, b);
#elif defined(__AVX2__)
  return _mm256_min_ps(a, b);
#elif defined(__x86_64__)
  return _mm_min_ps(a, b);
#elif defined(__aarch64__)
  return (V)vminq_f32((float32x4_t)a, (float32x4_t)b);
#elif defined(__wasm_simd128__)
  return (V)wasm_f32x4_pmin((v128_t)b, (v128_t)a);
#else
  return a < b ? a : b;
#endif
}

// A NaN in x stays.
LITE_INLINE V AtLeast(V x, V low) { return Max(low, x); }
LITE_INLINE V AtMost(V x, V high) { return Min(high, x); }
LITE_INLINE V Clamp(V x, V low, V high) { return AtMost(AtLeast(x, low), high); }

// The nearest integers to numbers below 2^22, of two the even one; NaN gives some integer.
LITE_INLINE VI NearestInts(V x) {
#if defined(__AVX512F__)
  return (VI)_mm512_maskz_cvtps_epi32(0xffff, x);
#elif defined(__AVX2__)
  return (VI)_mm256_cvtps_epi32(x);
#elif defined(__x86_64__)
  return (VI)_mm_cvtps_epi32(x);
#elif defined(__aarch64__)
  return (VI)vcvtnq_s32_f32((float32x4_t)x);
#else
  const V large = Splat(12582912.0f);  // whose last bit is 1
  return (VI)(x + large) - (VI)large;
#endif
}

LITE_INLINE V Sqrt(V x) {
#if defined(__AVX512F__)
  return _mm512_maskz_sqrt_ps(0xffff, x);  // The plain one warns in GCC 12.
#elif defined(__AVX2__)
  return _mm256_sqrt_ps(x);
#elif defined(__x86_64__)
  return _mm_sqrt_ps(x);
#elif defined(__aarch64__)
  return (V)vsqrtq_f32((float32x4_t)x);
#elif defined(__wasm_simd128__)
  return (V)wasm_f32x4_sqrt((v128_t)x);
#else
  for (int i = 0; i < kW; ++i) x[i] = __builtin_sqrtf(x[i]);
  return x;
#endif
}

}  // namespace paddle::lite::math::LITE_ISA
