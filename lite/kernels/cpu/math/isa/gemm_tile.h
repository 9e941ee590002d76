#pragma once

// What the microkernels of products of floats (gen/gemm_tiles.py) work on; Arm's have NeonTile.

#include "lite/kernels/cpu/math/isa/k_blocks.h"
#include "lite/kernels/cpu/math/isa/panel_finish.h"

#if !defined(__aarch64__)
namespace paddle::lite::math::LITE_ISA {

struct GemmTile {
  int64_t tiles;  // that follow each other by the steps: rows, or columns of the same rows
  int64_t rows_step, b_step, bias_step, in_step, out_step, residual_step;
  bool asks;  // for the lines of the results
  const float* const* rows;
  const int64_t* offsets;
  int64_t segments, length;
  int64_t part;            // of GemmBlock
  int64_t b_across;        // from one panel to the next, where a tile reads several
  const float* b;          // or:
  const int8_t* integers;  // times
  const float* scales;     // of each column
  // To prefetch, and floats from one unrolled step to the next: 0 where there is nothing.
  const float *next, *also, *next_end, *also_end;
  int64_t next_step, also_step;
  const float* in;  // sums of the earlier K blocks, or null
  int64_t ldin;
  float* out;
  int64_t ldout;
  int lanes;          // of the last vector of `in` and `out`
  const float* bias;  // whole vectors: what sums begin with where there is no `in`
  Finish finish;
  float p0, p1, p2, p3, p4;
  const float* residual;  // for kResidual
  int64_t ldresidual;
};

#if defined(__AVX512F__) && !defined(LITE_AVX512_MODEL)
// MulAdd of *x in every lane: broadcast by the multiplication itself, since a load into a wide
// register takes AMD's cores longer, and a single vector does not hide that.
LITE_INLINE void MulAddAt(V* sum, const float* x, V y) {
  asm("vfmadd231ps %2%{1to16%}, %1, %0" : "+v"(*sum) : "v"(y), "m"(*x));
}
#else
LITE_INLINE void MulAddAt(V* sum, const float* x, V y) { MulAdd(sum, Splat(*x), y); }
#endif

#if defined(__AVX512F__)
// MulAdd of the lower half of a vector: half the work on CPUs that have no wider units.
#if defined(__clang__) || defined(LITE_AVX512_MODEL)
// Clang 22 has wrong names for halves of the upper registers, and needs no assembly.
LITE_INLINE void MulAddLow(V* sum, V x, V y) {
  *sum = _mm512_castps256_ps512(_mm256_fmadd_ps(
      _mm512_castps512_ps256(x), _mm512_castps512_ps256(y), _mm512_castps512_ps256(*sum)));
}
LITE_INLINE void MulAddAtLow(V* sum, const float* x, V y) { MulAddLow(sum, Splat(*x), y); }
#else
LITE_INLINE void MulAddLow(V* sum, V x, V y) {
  asm("vfmadd231ps %t2, %t1, %t0" : "+v"(*sum) : "v"(x), "v"(y));
}
LITE_INLINE void MulAddAtLow(V* sum, const float* x, V y) {
  asm("vfmadd231ps %2%{1to8%}, %t1, %t0" : "+v"(*sum) : "v"(y), "m"(*x));
}
#endif
#endif

// Asks for a row of a tile's results.
LITE_INLINE void AskToWrite(const float* row, int vectors) {
  for (int i = 0; i < vectors * kW; i += kLineFloats) __builtin_prefetch(row + i, 1);
}

// Where products from `k` on end that are summed with `done` others, in whole unrolled steps.
inline int64_t PartEnd(const GemmTile& t, int64_t k, int64_t done) {
  const int64_t end = k + (t.part - done + 3) / 4 * 4;
  return end < t.length ? end : t.length;
}

}  // namespace paddle::lite::math::LITE_ISA
#endif
