#pragma once

// Integers of 4 or 8 bits that share scales in groups of rows: in a panel, words of 32 bits, each
// with as many rows of a column as it holds, the first in its lowest bits.

#include <cstring>

#include "lite/kernels/cpu/math/integer_groups.h"
#include "lite/kernels/cpu/math/isa/k_blocks.h"
#include "lite/kernels/cpu/math/isa/panel_finish.h"
#include "lite/kernels/cpu/math/isa/widen.h"

namespace paddle::lite::math::LITE_ISA {

LITE_INLINE VI LoadWords(const int32_t* p) {
  VI words;
  std::memcpy(&words, p, sizeof(words));
  return words;
}

// A panel of them, and its groups.
struct GroupedPanel {
  GroupedPanel(const IntegerGroups& g, const int8_t* integers, const PanelPlace& panel)
      : groups(g),
        words(reinterpret_cast<const int32_t*>(integers) + panel.first_column * g.words),
        scales(g.scales + panel.first_column * g.count),
        zeros(g.zeros == nullptr ? nullptr : g.zeros + panel.first_column * g.count),
        mask((1 << g.bits) - 1) {}

  const IntegerGroups& groups;
  const int32_t* words;
  const float* scales;
  const uint8_t* zeros;
  int32_t mask;  // of an integer
};

// Scales and zero points of a group, of a few vectors of columns.
template <int vectors>
struct GroupScales {
  void Set(const GroupedPanel& b, int64_t group) {
    for (int v = 0; v < vectors; ++v) {
      const int64_t at = (group * vectors + v) * kW;
      scale[v] = Load(b.scales + at);
      zero[v] = b.zeros == nullptr ? Splat(static_cast<float>(1 << (b.groups.bits - 1)))
                                   : __builtin_convertvector(WidenBytes(b.zeros + at), V);
    }
  }
  V scale[vectors], zero[vectors];
};

// Most rows whose sums read the integers as they are.
#if defined(__aarch64__)
constexpr int kGroupRows = 0;
#else
constexpr int kGroupRows = 2;
#endif

// The integer in the lowest bits of each word.
template <int bits>
LITE_INLINE V LowestInteger(VI words) {
#if defined(__AVX512F__)
  if constexpr (bits == 4) {
    const V all = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return _mm512_maskz_permutexvar_ps(0xffff, (__m512i)words, all);  // reads no other bits
  }
#endif
  return __builtin_convertvector(words & ((1 << bits) - 1), V);
}

// sums = x times integers less their zero points, over `count` rows.
template <int bits, int rows, int vectors>
LITE_INLINE void SumGroup(const float* const (&x)[rows], int64_t count, const int32_t* words,
                          const GroupScales<vectors>& scales, V (&sums)[rows][vectors]) {
  constexpr int kEach = 32 / bits;
  // Sums that do not wait for each other.
  constexpr int kChains = rows == 1 ? 4 : 2;
  V chains[kChains][rows][vectors];
  for (int c = 0; c < kChains; ++c)
    for (int v = 0; v < vectors; ++v)
      for (int r = 0; r < rows; ++r) chains[c][r][v] = Splat(0.0f);
  for (int64_t k = 0; k < count; k += kEach, words += vectors * kW) {
    VI left[vectors];
    for (int v = 0; v < vectors; ++v) left[v] = LoadWords(words + v * kW);
    const auto step = [&](int64_t i, V(&to)[rows][vectors]) {
      V from[rows];
      for (int r = 0; r < rows; ++r) from[r] = Splat(x[r][k + i]);
      for (int v = 0; v < vectors; ++v) {
        const V integer = LowestInteger<bits>(left[v]) - scales.zero[v];
        for (int r = 0; r < rows; ++r) MulAdd(&to[r][v], from[r], integer);
        left[v] = left[v] >> bits;
      }
    };
    if (count - k >= kEach) {
#pragma GCC unroll 8
      for (int i = 0; i < kEach; ++i) step(i, chains[i % kChains]);
    } else {
      for (int64_t i = 0; i < count - k; ++i) step(i, chains[0]);
    }
  }
  for (int v = 0; v < vectors; ++v)
    for (int r = 0; r < rows; ++r) {
      sums[r][v] = chains[0][r][v];
      for (int c = 1; c < kChains; ++c) sums[r][v] = sums[r][v] + chains[c][r][v];
    }
}

#if !defined(__aarch64__)
// Sums of rows with a panel's integers in groups, from `start` on, to `to`.
template <int rows, int vectors>
void SumGroupsOf(const GemmBlock& g, const PanelPlace& panel, const float* start, float* to) {
  const GroupedPanel b(*g.groups, g.integers, panel);
  const bool nibbles = b.groups.bits == 4;
  V total[rows][vectors];
  for (int v = 0; v < vectors; ++v)
    for (int r = 0; r < rows; ++r) total[r][v] = Load(start + v * kW);
  GroupScales<vectors> scales;
  for (int64_t row = 0; row < g.length; row += b.groups.rows) {
    scales.Set(b, row / b.groups.rows);
    const int64_t count = b.groups.rows < g.length - row ? b.groups.rows : g.length - row;
    const float* x[rows];
    for (int r = 0; r < rows; ++r) x[r] = g.rows[r] + g.offsets[0] + row;
    const int32_t* const words = b.words + row * b.groups.bits / 32 * vectors * kW;
    V sums[rows][vectors];
    if (nibbles)
      SumGroup<4>(x, count, words, scales, sums);
    else
      SumGroup<8>(x, count, words, scales, sums);
    for (int v = 0; v < vectors; ++v)
      for (int r = 0; r < rows; ++r) MulAdd(&total[r][v], sums[r][v], scales.scale[v]);
  }
  for (int v = 0; v < vectors; ++v)
    for (int r = 0; r < rows; ++r) Store(to + (r * vectors + v) * kW, total[r][v]);
}

inline void SumGroups(const GemmBlock& g, const PanelPlace& panel, const float* start, float* to) {
  constexpr decltype(&SumGroupsOf<1, 1>) kSums[kGroupRows][kLastPanelVectors] = {
      {SumGroupsOf<1, 1>, SumGroupsOf<1, 2>, SumGroupsOf<1, 3>},
      {SumGroupsOf<2, 1>, SumGroupsOf<2, 2>, SumGroupsOf<2, 3>},
  };
  kSums[g.row_count - 1][panel.vectors - 1](g, panel, start, to);
}
#endif

// The rows of a K block of a panel whose integers are in groups.
template <int vectors>
void WidenGroups(const GemmBlock& g, const PanelPlace& panel, const KPart& part, float* to) {
  const GroupedPanel b(*g.groups, g.integers, panel);
  const int64_t end = part.first + part.segments * part.length;
  GroupScales<vectors> scales;
  for (int64_t row = part.first; row < end;) {
    scales.Set(b, row / b.groups.rows);
    const int64_t next = (row / b.groups.rows + 1) * b.groups.rows;
    for (const int64_t stop = next < end ? next : end; row < stop; ++row, to += vectors * kW) {
      const int64_t bit = row * b.groups.bits;
      const int32_t* const words = b.words + bit / 32 * vectors * kW;
      for (int v = 0; v < vectors; ++v) {
        const VI integers = (LoadWords(words + v * kW) >> static_cast<int>(bit % 32)) & b.mask;
        Store(to + v * kW,
              (__builtin_convertvector(integers, V) - scales.zero[v]) * scales.scale[v]);
      }
    }
  }
}

}  // namespace paddle::lite::math::LITE_ISA
