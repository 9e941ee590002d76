#pragma once

// What the microkernels of rounded products (gen/rounded_tiles.py) work on.

#include "lite/kernels/cpu/math/excess.h"
#include "lite/kernels/cpu/math/isa/finish_sums.h"

namespace paddle::lite::math::LITE_ISA {

struct RoundedTile {
  int64_t tiles;  // that follow each other in rows, by these steps
  int64_t rows_step, out_step, residual_step;
  const char* const* rows;
  const int64_t* offsets;
  int64_t segments, words;  // whole words of a segment
  bool tail;                // half a word after them
  const char* b;
  const ExcessPlace* places;  // of the panel's words in excess
  int64_t excess;
  const char* more;      // those words
  const int32_t* start;  // whole vectors, as scales and bias
  const float *scales, *bias;
  float* out;  // for kBytes bytes, as the steps are
  int64_t ldout;
  int lanes;  // of the last vector of `out`
  Finish finish;
  float p0, p1, p2, p3, p4;
  const float* residual;
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

// The same for PanelFinish: tiles end with its clamp, else end(sums, ld, row, count, tile) ends
// their sums as it has it.
template <typename Function, typename End>
LITE_INLINE void RunToEnd(const Function* tiles, int most, const char* const* rows,
                          int64_t row_count, const PanelFinish& finish, int vectors, RoundedTile* t,
                          const End& end) {
  if (t->finish == kClamp) return RunTiles(tiles, most, rows, row_count, finish, t);
  alignas(64) float sums[kTilesAside * kMostRows * kPanelVectors * kW];
  SumsTile rest = {};
  rest.vectors = vectors;
  finish.Set(&rest);
  t->finish = kRaw;
  const int64_t ld = int64_t{vectors} * kW;
  struct Place {
    LITE_INLINE_MEMBER int64_t Follow(int height, int64_t count, RoundedTile* tile) const {
      tile->rows_step = height;
      tile->out_step = height * ld;
      return count < kTilesAside ? count : kTilesAside;
    }
    LITE_INLINE_MEMBER void Run(void (*run)(const RoundedTile&), int64_t row, int count,
                                RoundedTile* tile) const {
      tile->out = sums;
      tile->ldout = ld;
      run(*tile);
      end(sums, ld, row, count, rest);
    }
    float* const sums;
    const int64_t ld;
    SumsTile* const rest;
    const End& end;
  };
  RunTiles(tiles, most, rows, row_count, Place{sums, ld, &rest, end}, t);
}

}  // namespace paddle::lite::math::LITE_ISA
