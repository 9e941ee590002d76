#pragma once

// The microkernels of products for 64-bit Arm (gen/neon_tiles.py).

#include <stddef.h>

#include "lite/kernels/cpu/math/isa/in_registers.h"

#if defined(__aarch64__)
namespace paddle::lite::math::LITE_ISA {

// Tiles of the same height one below the other. A row's words are floats, two int16 or four bytes;
// offsets are in floats, or else in bytes. All vectors are whole.
struct NeonTile {
  const void* const* rows;
  const int64_t* offsets;
  int64_t segments, length;  // words of a segment
  int64_t tail;              // halves: whether half a word follows them
  const void* b;
  const float* in;  // floats: sums of the earlier K blocks, or null
  int64_t ldin;
  float* out;
  int64_t ldout;
  int64_t tiles;
  const float* bias;     // of each column
  const int32_t* start;  // integers: what sums begin with
  const float* scales;   // integers: of each column
  int64_t finish;
  const float* residual;  // for kResidual
  int64_t ldresidual;
  int64_t lanes;  // of the last vector that are in use; not the microkernel's
  float p0, p1, p2, p3, p4;
};

}  // namespace paddle::lite::math::LITE_ISA
#endif
