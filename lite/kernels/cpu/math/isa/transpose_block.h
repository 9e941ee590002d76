#pragma once

// Squares of 4-byte elements, transposed in registers.

#include "lite/kernels/cpu/math/isa/vec.h"

namespace paddle::lite::math::LITE_ISA {

#if defined(__AVX2__)
constexpr int kBlock = 8;
#else
constexpr int kBlock = 4;
#endif

typedef uint32_t Row __attribute__((vector_size(kBlock * 4)));
typedef uint32_t RowUnaligned __attribute__((vector_size(kBlock * 4), aligned(4), may_alias));

typedef int32_t Places __attribute__((vector_size(kBlock * 4)));

// The elements of two rows at these places; -1 is any. GCC has Clang's builtin from 12 on.
#if defined(__clang__)
#define LITE_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define LITE_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, Places{__VA_ARGS__})
#endif

LITE_INLINE Row LoadRow(const uint32_t* p) { return *reinterpret_cast<const RowUnaligned*>(p); }
LITE_INLINE void StoreRow(uint32_t* p, Row v) { *reinterpret_cast<RowUnaligned*>(p) = v; }

#if defined(__AVX2__)
#define LITE_LOW(a, b) LITE_SHUFFLE(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define LITE_HIGH(a, b) LITE_SHUFFLE(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define LITE_LOW_PAIRS(a, b) LITE_SHUFFLE(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define LITE_HIGH_PAIRS(a, b) LITE_SHUFFLE(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define LITE_LOW_HALVES(a, b) LITE_SHUFFLE(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define LITE_HIGH_HALVES(a, b) LITE_SHUFFLE(a, b, 4, 5, 6, 7, 12, 13, 14, 15)

// Calls store(i, row) for the columns i of a square: row holds their kBlock elements.
template <typename StoreOp>
LITE_INLINE void TransposeBlock(const uint32_t* x, int64_t ldx, const StoreOp& store) {
  const Row r0 = LoadRow(x), r1 = LoadRow(x + ldx);
  const Row r2 = LoadRow(x + 2 * ldx), r3 = LoadRow(x + 3 * ldx);
  const Row r4 = LoadRow(x + 4 * ldx), r5 = LoadRow(x + 5 * ldx);
  const Row r6 = LoadRow(x + 6 * ldx), r7 = LoadRow(x + 7 * ldx);
  const Row s0 = LITE_LOW(r0, r1), s1 = LITE_HIGH(r0, r1);
  const Row s2 = LITE_LOW(r2, r3), s3 = LITE_HIGH(r2, r3);
  const Row s4 = LITE_LOW(r4, r5), s5 = LITE_HIGH(r4, r5);
  const Row s6 = LITE_LOW(r6, r7), s7 = LITE_HIGH(r6, r7);
  const Row t0 = LITE_LOW_PAIRS(s0, s2), t1 = LITE_HIGH_PAIRS(s0, s2);
  const Row t2 = LITE_LOW_PAIRS(s1, s3), t3 = LITE_HIGH_PAIRS(s1, s3);
  const Row t4 = LITE_LOW_PAIRS(s4, s6), t5 = LITE_HIGH_PAIRS(s4, s6);
  const Row t6 = LITE_LOW_PAIRS(s5, s7), t7 = LITE_HIGH_PAIRS(s5, s7);
  store(0, LITE_LOW_HALVES(t0, t4));
  store(1, LITE_LOW_HALVES(t1, t5));
  store(2, LITE_LOW_HALVES(t2, t6));
  store(3, LITE_LOW_HALVES(t3, t7));
  store(4, LITE_HIGH_HALVES(t0, t4));
  store(5, LITE_HIGH_HALVES(t1, t5));
  store(6, LITE_HIGH_HALVES(t2, t6));
  store(7, LITE_HIGH_HALVES(t3, t7));
}
#else
template <typename StoreOp>
LITE_INLINE void TransposeBlock(const uint32_t* x, int64_t ldx, const StoreOp& store) {
  const Row r0 = LoadRow(x), r1 = LoadRow(x + ldx);
  const Row r2 = LoadRow(x + 2 * ldx), r3 = LoadRow(x + 3 * ldx);
  const Row s0 = LITE_SHUFFLE(r0, r1, 0, 4, 1, 5);
  const Row s1 = LITE_SHUFFLE(r0, r1, 2, 6, 3, 7);
  const Row s2 = LITE_SHUFFLE(r2, r3, 0, 4, 1, 5);
  const Row s3 = LITE_SHUFFLE(r2, r3, 2, 6, 3, 7);
  store(0, LITE_SHUFFLE(s0, s2, 0, 1, 4, 5));
  store(1, LITE_SHUFFLE(s0, s2, 2, 3, 6, 7));
  store(2, LITE_SHUFFLE(s1, s3, 0, 1, 4, 5));
  store(3, LITE_SHUFFLE(s1, s3, 2, 3, 6, 7));
}
#endif

}  // namespace paddle::lite::math::LITE_ISA
