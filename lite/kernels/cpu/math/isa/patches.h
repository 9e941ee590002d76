#pragma once

// Winograd's F(2x2, 3x3) in integers: patches of pixels to matrices, and products to pixels.

#include "lite/kernels/cpu/math/isa/finish_sums.h"
#include "lite/kernels/cpu/math/isa/winograd_lines.h"

namespace paddle::lite::math::LITE_ISA {

constexpr int kShorts = 2 * kW;
// Without a sign: what is read beyond the channels may overflow.
typedef uint16_t VUS __attribute__((vector_size(kShorts * 2)));
typedef uint16_t VUSUnaligned __attribute__((vector_size(kShorts * 2), aligned(2), may_alias));
typedef uint32_t VU __attribute__((vector_size(kW * 4)));  // sums in between may leave int32

alignas(64) constexpr int32_t kNoSums[kLastPanelVectors * kW] = {};

// The first step of the columns of pixels from `at` on.
LITE_INLINE void TwoColumns(const PatchInput& p, const char* at, VUS columns[2][4]) {
#pragma GCC unroll 2
  for (int x = 0; x < 2; ++x) {
    VUS d[4];
#pragma GCC unroll 4
    for (int y = 0; y < 4; ++y)
      d[y] = *reinterpret_cast<const VUSUnaligned*>(at + y * p.row_bytes + x * p.pixel_bytes);
    InputOf4(d, columns[x]);
  }
}

LITE_INLINE void TransformPatches(const PatchInput& input) {
  const PatchInput p = input;
  for (int64_t c = 0; c < p.channels; c += kShorts) {
    const char* at = p.pixels + 2 * c;
    int16_t* v = p.v + c;
    VUS columns[4][4];
    TwoColumns(p, at, columns);
    for (int64_t t = 0; t < p.tiles; ++t, v += p.row) {
      at += 2 * p.pixel_bytes;
      TwoColumns(p, at, columns + 2);
#pragma GCC unroll 4
      for (int y = 0; y < 4; ++y) {
        VUS d[4], o[4];
#pragma GCC unroll 4
        for (int x = 0; x < 4; ++x) d[x] = columns[x][y];
        InputOf4(d, o);
#pragma GCC unroll 4
        for (int x = 0; x < 4; ++x)
          *reinterpret_cast<VUSUnaligned*>(v + (4 * y + x) * p.matrix) = o[x];
      }
#pragma GCC unroll 4
      for (int y = 0; y < 4; ++y) {
        columns[0][y] = columns[2][y];
        columns[1][y] = columns[3][y];
      }
    }
  }
}

// A vector of 16 sums to those of the pixels (0, 0), (0, 1), (1, 0) and (1, 1).
LITE_INLINE void OutputOf16(const int32_t* m, int64_t matrix, VU pixels[4]) {
  VU rows[4][2];
#pragma GCC unroll 4
  for (int y = 0; y < 4; ++y) {
    VU d[4];
#pragma GCC unroll 4
    for (int x = 0; x < 4; ++x) d[x] = *reinterpret_cast<const VU*>(m + (4 * y + x) * matrix);
    OutputOf4(d, rows[y]);
  }
#pragma GCC unroll 2
  for (int x = 0; x < 2; ++x) {
    VU d[4], o[2];
#pragma GCC unroll 4
    for (int y = 0; y < 4; ++y) d[y] = rows[y][x];
    OutputOf4(d, o);
    pixels[x] = o[0];
    pixels[2 + x] = o[1];
  }
}

// One line of a run's pixels, or the one below.
class PatchLine {
 public:
  PatchLine(const PatchBlock& g, const PanelPlace& panel, const PatchRun& run, int64_t below)
      : place_{g.c == nullptr ? nullptr : g.c + (run.row + below) * g.ldc,
               g.ldc,
               run.pixels,
               run.row + below,
               0,
               g.bytes == nullptr ? nullptr : g.bytes + (run.row + below) * g.ldc},
        finish_(*g.epilogue, place_, panel),
        scales_(g.scales + panel.first_column) {
    finish_.Set(&t_);
    t_.vectors = panel.vectors;
  }
  PatchLine(const PatchLine&) = delete;

  void Finish(float* sums, int64_t pixel, int count) {
    FinishIntegers(finish_, sums, t_.vectors * kW, scales_, pixel, count, &t_);
  }

 private:
  const BlockPlace place_;
  const PanelFinish finish_;
  const float* scales_;
  SumsTile t_;
};

LITE_INLINE void FinishRun(const PatchBlock& g, const PanelPlace& panel, const PatchRun& run,
                           const int32_t* m) {
  constexpr int kTiles = 8;  // at a time, so that they stay in the nearest cache
  alignas(64) float lines[2][2 * kTiles * kLastPanelVectors * kW];
  const int64_t width = panel.vectors * kW, matrix = g.row_count * width;
  PatchLine above(g, panel, run, 0), below(g, panel, run, run.below);
  for (int64_t t = 0; t < run.tiles; t += kTiles) {
    const int64_t count = run.tiles - t < kTiles ? run.tiles - t : kTiles;
    for (int64_t i = 0; i < count; ++i)
      for (int64_t j = 0; j < width; j += kW) {
        VU pixels[4];
        OutputOf16(m + (t + i) * width + j, matrix, pixels);
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) Store(lines[k / 2] + (2 * i + k % 2) * width + j, (V)pixels[k]);
      }
    const int64_t left = run.pixels - 2 * t;
    const auto pixels = static_cast<int>(left < 2 * count ? left : 2 * count);
    above.Finish(lines[0], 2 * t, pixels);
    if (run.below != 0) below.Finish(lines[1], 2 * t, pixels);
  }
}

// A panel of all matrices, and what becomes of it. `sums_of_panel` multiplies one.
template <typename SumsOfPanel>
LITE_INLINE void FinishPatches(const PatchBlock& g, const PanelPlace& panel,
                               const SumsOfPanel& sums_of_panel) {
  const int64_t width = panel.vectors * kW;
  Int8Block one = g;
  for (int i = 0; i < kPatchMatrices; ++i, ++one.offsets, one.b += g.matrix_bytes)
    sums_of_panel(one, panel, g.sums + i * g.row_count * width);
  const int32_t* m = g.sums;
  for (const PatchRun* run = g.runs; run != g.runs + g.run_count; m += run->tiles * width, ++run)
    FinishRun(g, panel, *run, m);
}

}  // namespace paddle::lite::math::LITE_ISA
