// How Winograd's convolutions divide their work; for winograd.cc and winograd_choice.cc.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lite/kernels/cpu/math/caches.h"
#include "lite/kernels/cpu/math/conv.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/tiles.h"
#include "lite/kernels/cpu/math/work_split.h"

namespace paddle::lite::math::winograd {

inline int64_t RoundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

// Of a block, by what its weights are: floats, integers, which are transformed again for every
// block, or tiles of the CPU, which multiply faster than weights come.
constexpr int64_t kLeastOfFloats = 48, kLeastOfIntegers = 96, kLeastOfCpuTiles = 224;

// Filters of more than 3x3 are cut into such: the sums of their products go through all of them.
inline int64_t PartsOf(int64_t taps) { return (taps + 2) / 3; }
inline int64_t DepthOf(const ConvShape& s) { return PartsOf(s.kh) * PartsOf(s.kw) * s.ic; }

// Every dilation-th pixel belongs to one convolution without dilation; of the first of them.
inline int64_t TilesOfAxis(int64_t size, int64_t dilation, int64_t tile) {
  return ((size + dilation - 1) / dilation + tile - 1) / tile;
}

inline int64_t Tiles(const ConvShape& s, int64_t tile) {
  return s.n * s.dh * s.dw * TilesOfAxis(s.oh, s.dh, tile) * TilesOfAxis(s.ow, s.dw, tile);
}

// Tiles whose transformed values are held at once: they should stay in L2, but so many that reading
// all the weights for them pays.
inline int64_t TilesOfBlock(const ConvShape& s, int64_t tile, int64_t least) {
  constexpr int64_t kBytes = 640 * 1024;
  const int64_t fitting = BytesInL2(kBytes) / 4 / ((tile + 2) * (tile + 2) * (DepthOf(s) + s.oc));
  return RowsOfBlock(Tiles(s, tile), std::clamp(fitting, least, kMaxBlockRows), 1);
}

inline bool CpuTilesPay(const ConvShape& s, int64_t tile) {
  const int64_t block = TilesOfBlock(s, tile, kLeastOfCpuTiles);
  return TilesPay(std::min(Tiles(s, tile), block), s.oc, DepthOf(s));
}

}  // namespace paddle::lite::math::winograd
