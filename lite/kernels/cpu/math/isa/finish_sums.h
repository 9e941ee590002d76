#pragma once

// How products end whose sums are in memory: what microkernels do in registers.

#include "lite/kernels/cpu/math/isa/panel_finish.h"

namespace paddle::lite::math::LITE_ISA {

// Rows of sums and of their results, for PanelFinish.
struct SumsTile {
  const float* in;
  int64_t ldin;
  int rows, vectors;
  float* out;
  int64_t ldout;
  int lanes;
  const float* bias;
  Finish finish;
  float p0, p1, p2, p3, p4;
  const float* residual;
  int64_t ldresidual;
};

template <Finish finish>
LITE_INLINE void FinishSums(const SumsTile& tile) {
  const SumsTile t = tile;  // of its own, which no store can change
  const V p0 = Splat(t.p0), p1 = Splat(t.p1), p2 = Splat(t.p2), p3 = Splat(t.p3), p4 = Splat(t.p4);
  for (int r = 0; r < t.rows; ++r)
    for (int v = 0; v < t.vectors; ++v) {
      const int lanes = v == t.vectors - 1 ? t.lanes : kW;
      V x = Load(t.in + r * t.ldin + v * kW) + Load(t.bias + v * kW);
      if (finish == kHardSwish || finish == kHardSwishAffine)
        x = HardSwish(x, p0, p1, p2);
      else
        x = Clamp(x, p0, p1);
      if (finish == kHardSwishAffine) x = x * p3 + p4;
      if (finish == kResidual)
        x = Clamp(x + LoadN(t.residual + r * t.ldresidual + v * kW, lanes), p2, p3);
      StoreN(t.out + r * t.ldout + v * kW, x, lanes);
    }
}

static inline void FinishRows(const SumsTile& t) {  // is called by its address
  if (t.finish == kHardSwish) return FinishSums<kHardSwish>(t);
  if (t.finish == kHardSwishAffine) return FinishSums<kHardSwishAffine>(t);
  if (t.finish == kResidual) return FinishSums<kResidual>(t);
  FinishSums<kClamp>(t);
}

// Sums of rows [row, row + rows) of a block, `stride` floats apart, to their results.
LITE_INLINE void FinishAllRows(const PanelFinish& finish, const float* sums, int64_t stride,
                               int64_t row, int rows, SumsTile* t) {
  constexpr int kStep = 8;  // PanelFinish has room for so many rows of the widest panel
  t->ldin = stride;
  for (int r = 0; r < rows; r += kStep) {
    t->in = sums + r * stride;
    t->rows = rows - r < kStep ? rows - r : kStep;
    finish.Run(FinishRows, row + r, t->rows, t);
  }
}

alignas(64) constexpr float kNoBias[kMostVectors * kW] = {};

// The same of int32, which become reals where they are; t->vectors are the panel's.
LITE_INLINE void FinishIntegers(const PanelFinish& finish, float* sums, int64_t stride,
                                const float* scales, int64_t row, int rows, SumsTile* t) {
  if (finish.ends_in_bytes())
    return finish.SumsToBytes(reinterpret_cast<const int32_t*>(sums), stride, scales, row, rows);
  for (float* of_row = sums; of_row < sums + rows * stride; of_row += stride)
    for (int64_t j = 0; j < t->vectors * kW; j += kW)
      Store(of_row + j, finish.RealsOfSums((VI)Load(of_row + j), scales, j));
  t->bias = kNoBias;  // it is in the reals
  FinishAllRows(finish, sums, stride, row, rows, t);
}

}  // namespace paddle::lite::math::LITE_ISA
