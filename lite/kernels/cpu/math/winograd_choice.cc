// Which convolutions go through Winograd's tiles, and through which.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "lite/core/base/found_once.h"
#include "lite/core/base/weight_memory.h"
#include "lite/kernels/cpu/math/tiles.h"
#include "lite/kernels/cpu/math/winograd.h"
#include "lite/kernels/cpu/math/winograd_sizes.h"

namespace paddle::lite::math {
namespace {

using namespace winograd;

bool FindSwitchedOff() {
  const char* value = std::getenv("LITE_WINOGRAD");
  return value != nullptr && std::strcmp(value, "0") == 0;
}

// Cycles of one core, from what its parts were measured to take.
double DirectCost(const ConvShape& s) {
  const int64_t rows = s.n * s.oh * s.ow, k = s.kh * s.kw * s.ic;
  return TilesPay(rows, s.oc, k) ? TileCycles(rows, s.oc, k) : VectorCycles(rows, s.oc, k);
}

// Of the products of one matrix with a block of tiles after another.
double ProductsCost(const ConvShape& s, int64_t tile) {
  const bool cpu_tiles = CpuTilesPay(s, tile);
  const int64_t all = Tiles(s, tile);
  const int64_t block = TilesOfBlock(s, tile, cpu_tiles ? kLeastOfCpuTiles : kLeastOfFloats);
  const auto blocks = static_cast<double>((all + block - 1) / block);
  const int64_t depth = DepthOf(s);
  if (cpu_tiles) return blocks * TileCycles(std::min(all, block), s.oc, depth);
  return VectorCycles(all, s.oc, depth) + blocks * WeightCycles(s.oc, depth, 4);
}

double WinogradCost(const ConvShape& s, int64_t tile) {
  const int64_t width = LITE_ISA_PICK(kGemmTable).vector_width;
  const auto vectors = static_cast<double>(
      (PartsOf(s.kh) * PartsOf(s.kw) * RoundUp(s.ic, width) + RoundUp(s.oc, width)) / width);
  return static_cast<double>((tile + 2) * (tile + 2)) *
         (ProductsCost(s, tile) + static_cast<double>(Tiles(s, tile)) * 5 * vectors);
}

}  // namespace

bool WinogradSwitchedOff() { return FoundOnce<FindSwitchedOff>(); }

bool TakesWinograd(const ConvShape& shape) {
  ConvShape s = shape;
  // What is transformed of a block of tiles grows with the depth.
  constexpr int64_t kMostTaps = 9, kMostDepth = 4096, kMostDilation = 16;
  const bool large = s.kh > 3 || s.kw > 3;
  if (s.kh > kMostTaps || s.kw > kMostTaps || (large && DepthOf(s) > kMostDepth)) return false;
  if (s.dh > kMostDilation || s.dw > kMostDilation) return false;
  // Parts that are not full cost memory: weights of 5x5 grow sixfold, those of 3x3 and 9x9
  // fourfold.
  const bool fits = s.kh % 3 == 0 && s.kw % 3 == 0 && s.sh == 1 && s.sw == 1 && s.groups == 1 &&
                    s.pt >= 0 && s.pl >= 0;
  if (!fits || s.ic < 8 || s.oc < 4 || WinogradSwitchedOff()) return false;
  s.n = 1;
  s.oh = 48 * s.dh;
  s.ow = 48 * s.dw;
  return WinogradPays(s, WinogradTile(s));
}

int WinogradTile(const ConvShape& s) {
  // Tiles of 4 round three times as much as a direct convolution, those of 2 as much. In the layers
  // of few channels at the beginning of a network that doubles the error of its outputs, as it does
  // in the first of a deep one.
  constexpr int64_t kLeastChannels = 64;
  if (std::min(s.ic, s.oc) < kLeastChannels || s.early ||
      CurrentPrecision() == WeightPrecision::kExact)
    return 2;
  // Where it is about the same, the weights that are 2.25 times smaller.
  constexpr double kGain = 0.95;
  return WinogradCost(s, 4) < kGain * WinogradCost(s, 2) ? 4 : 2;
}

double WinogradSaves(const ConvShape& s, int tile) {
  const auto direct = static_cast<double>(s.kh * s.kw * tile * tile);
  const auto tiled = static_cast<double>(PartsOf(s.kh) * PartsOf(s.kw) * (tile + 2) * (tile + 2));
  return std::round(100 * direct / tiled) / 100;
}

bool WinogradKeepsDirect(const ConvShape& s) { return s.kh * s.kw * s.ic * s.oc <= 9 * 128 * 128; }

bool WinogradPays(const ConvShape& s, int tile) {
  return WinogradCost(s, tile) < 0.85 * DirectCost(s);
}

bool DirectInTiles(const ConvShape& s, int tile) {
  return TilesPay(s.n * s.oh * s.ow, s.oc, s.kh * s.kw * s.ic) &&
         DirectCost(s) < WinogradCost(s, tile);
}

}  // namespace paddle::lite::math
