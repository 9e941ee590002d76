#pragma once

// What the microkernels of rounded products (gen/rounded_tiles.py) work on.

#include "lite/kernels/cpu/math/isa/panel_finish.h"

namespace paddle::lite::math::LITE_ISA {

struct RoundedTile {
  int64_t tiles;  // that follow each other in rows, by these steps
  int64_t rows_step, out_step, residual_step;
  const char* const* rows;
  const int64_t* offsets;
  int64_t segments, words;  // whole words of a segment
  bool tail;                // half a word after them
  const char* b;
  const int32_t* start;  // whole vectors, as scales and bias
  const float *scales, *bias;
  float* out;  // for kBytes bytes, as the steps are
  int64_t ldout;
  int lanes;  // of the last vector of `out`
  Finish finish;
  float p0, p1, p2, p3, p4;
  const float* residual;  // for kResidual
  int64_t ldresidual;
  ByteFinish bytes;
};

typedef int32_t VIUnaligned __attribute__((vector_size(kW * 4), aligned(1), may_alias));
typedef int32_t WordUnaligned __attribute__((aligned(1), may_alias));

LITE_INLINE VI LoadInts(const void* p) { return *static_cast<const VIUnaligned*>(p); }
LITE_INLINE VI SplatWord(const void* p) { return SplatInt(*static_cast<const WordUnaligned*>(p)); }
LITE_INLINE V ToFloats(VI x) { return __builtin_convertvector(x, V); }

// All rows of a block in tiles of two heights; `tiles` are those of the panel's width.
template <typename Function, typename Finish>
LITE_INLINE void RunTiles(const Function* tiles, int most, const char* const* rows,
                          int64_t row_count, const Finish& finish, RoundedTile* t) {
  const int64_t count = (row_count + most - 1) / most;
  const int64_t base = row_count / count, extra = row_count % count;
  int64_t row = 0;
  for (int64_t i = 0; i < count; i += t->tiles) {
    const int height = static_cast<int>(base + (i < extra ? 1 : 0));
    t->rows = rows + row;
    t->tiles = finish.Follow(height, (i < extra ? extra : count) - i, t);
    finish.Run(tiles[height], row, static_cast<int>(height * t->tiles), t);
    row += height * t->tiles;
  }
}

}  // namespace paddle::lite::math::LITE_ISA
