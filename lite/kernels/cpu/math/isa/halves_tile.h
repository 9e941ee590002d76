#pragma once

// What the products of bf16 and of fp16 share.

#include "lite/kernels/cpu/math/halves_table.h"
#include "lite/kernels/cpu/math/isa/rounded_tile.h"

namespace paddle::lite::math::LITE_ISA {

// Of what rounded_tiles.inc takes: sums are floats.
typedef V Sum;

LITE_INLINE V Start(const RoundedTile&, int) { return V{}; }
LITE_INLINE V RealsOf(V sum, const RoundedTile&, int, V bias) { return sum + bias; }

// The same where each summand of a word on the left is a float.
namespace float_left {
typedef V Left;
typedef V Right;
constexpr int kLeftBytes = 8, kPhases = 2;
constexpr bool kTail = true, kGivesBytes = false, kExact = false, kExcess = false;

template <int phase>
LITE_INLINE V LeftWord(const char* a) {
  return Splat(reinterpret_cast<const float*>(a)[phase]);
}
template <int phase>
LITE_INLINE V LeftTail(const char* a) {
  return LeftWord<0>(a);
}
LITE_INLINE void Add(V* sum, V a, V b) { MulAdd(sum, a, b); }
}  // namespace float_left

// A panel's words.
LITE_INLINE const char* PanelWords(const HalvesBlock& g, const PanelPlace& panel) {
  return reinterpret_cast<const char*>(g.b +
                                       panel.first_column * g.segments * ((g.length + 1) / 2));
}

// One panel; `tiles` and their `most` rows are by its vectors, as rounded_tiles.inc has them.
template <typename Tiles>
LITE_INLINE void RunRoundedPanel(const HalvesBlock& g, const BlockPlace& block, int64_t index,
                                 const Tiles& tiles, const int* most) {
  const PanelPlace panel(g.columns, index);
  const PanelFinish finish(*g.epilogue, block, panel);
  RoundedTile t;
  t.offsets = g.offsets;
  t.segments = g.segments;
  t.words = g.length / 2;
  t.tail = g.length % 2 != 0;
  t.b = PanelWords(g, panel);
  finish.Set(&t);
  const int v = panel.vectors;
  RunToEnd(tiles[v], most[v], g.rows, g.row_count, finish, v, &t,
           [&](float* sums, int64_t ld, int64_t row, int count, SumsTile* end) {
             FinishAllRows(finish, sums, ld, row, count, end);
           });
}

}  // namespace paddle::lite::math::LITE_ISA
