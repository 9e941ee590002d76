#include <algorithm>
#include <cmath>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/conv.h"
#include "lite/kernels/cpu/math/gemm.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/tiles.h"

namespace paddle::lite::math {

ConvShape ConvShape::Turned() const {
  ConvShape t = *this;
  std::swap(t.ih, t.iw), std::swap(t.oh, t.ow), std::swap(t.kh, t.kw);
  std::swap(t.sh, t.sw), std::swap(t.pt, t.pl), std::swap(t.dh, t.dw);
  return t;
}

int64_t GroupsOfBlock(int64_t groups, int64_t oc_per_group) {
  const int64_t width = LITE_ISA_PICK(kGemmTable).vector_width;
  int64_t together = 1;
  for (int64_t g = 2; g <= groups && g * oc_per_group <= width; ++g) {
    if (groups % g == 0) together = g;
  }
  return together;
}

namespace {

// The groups of a block: a vector of columns, mostly zeros.
void PackDiagonal(const PackedConv& packed, int64_t group_ic, int64_t group_oc,
                  const float* weights, float* to) {
  const int64_t taps = packed.kh * packed.kw,
                width = packed.block_floats / (taps * packed.block_ic);
  std::fill_n(to, packed.block_floats, 0.0f);
  for (int64_t o = 0; o < packed.block_oc; ++o) {
    const int64_t first_channel = o / group_oc * group_ic;
    for (int64_t i = 0; i < group_ic; ++i)
      for (int64_t t = 0; t < taps; ++t, ++weights)
        if (std::fpclassify(*weights) != FP_SUBNORMAL)
          to[(t * packed.block_ic + first_channel + i) * width + o] = *weights;
  }
}

// A panel in tiles, as floats first.
void PackTilesOfTaps(int64_t group_ic, int64_t taps, int64_t group_oc, const float* weights,
                     int64_t panel, float* to) {
  const int64_t k = group_ic * taps, first = PanelColumn(panel, group_oc);
  const int64_t columns = PanelColumn(panel + 1, group_oc) - first;
  AlignedFloats rows(PackedFloats(k, columns));
  PackTaps(group_ic, taps, columns, weights + first * k, k, rows.data(), 0, 1);
  PackTilePanel(k, group_oc, panel, rows.data(), to);
}

}  // namespace

PackedConv PackConv(const float* weights, int64_t oc, int64_t ic, int64_t kh, int64_t kw,
                    int64_t groups, int threads, int64_t pixels) {
  const int64_t group_oc = oc / groups, group_ic = ic / groups;
  const int64_t together = GroupsOfBlock(groups, group_oc);
  PackedConv packed;
  packed.oc = oc;
  packed.ic = ic;
  packed.kh = kh;
  packed.kw = kw;
  packed.blocks = groups / together;
  packed.block_ic = group_ic * together;
  packed.block_oc = group_oc * together;
  const int64_t taps = kh * kw, k = taps * packed.block_ic;
  packed.tiles = together == 1 && TilesPay(pixels, group_oc, k);
  packed.block_floats = packed.tiles ? TileFloats(k, group_oc) : PackedFloats(k, packed.block_oc);
  packed.data = AlignedFloats::Lasting(packed.block_floats * packed.blocks);
  if (packed.data.size() == 0 || packed.data.packed()) return packed;
  // K runs over (ky, kx, channel), as a row of NHWC pixels does.
  const int64_t panels = PanelCount(packed.block_oc);
  const int used = PackThreads(threads, packed.data.size());
  ParallelFor(used, packed.blocks * panels, [&](int64_t chunk) {
    const int64_t block = chunk / panels, panel = chunk % panels;
    const float* from = weights + block * packed.block_oc * group_ic * taps;
    float* const to = packed.data.data() + block * packed.block_floats;
    if (packed.tiles)
      PackTilesOfTaps(group_ic, taps, group_oc, from, panel, to);
    else if (together == 1)
      PackTaps(group_ic, taps, group_oc, from, group_ic * taps, to, panel, panel + 1);
    else
      PackDiagonal(packed, group_ic, group_oc, from, to);
  });
  return packed;
}

}  // namespace paddle::lite::math
