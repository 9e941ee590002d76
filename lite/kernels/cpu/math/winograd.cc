#include "lite/kernels/cpu/math/winograd.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "lite/core/thread_pool.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/winograd_points.h"

namespace paddle::lite::math {
namespace {

bool SwitchedOff() {
  static const bool off = [] {
    const char* value = std::getenv("LITE_WINOGRAD");
    return value != nullptr && std::strcmp(value, "0") == 0;
  }();
  return off;
}

int64_t RoundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

// Tiles whose transformed values are held at once: they should stay in L2, but so many that reading
// all the weights for them pays.
int64_t TilesOfBlock(const ConvShape& s, int64_t matrices) {
  constexpr int64_t kFloats = 160 * 1024, kLeast = 48;
  const int64_t unit = LITE_ISA_PICK(kGemmTable).panel_rows;
  const int64_t fitting = kFloats / (matrices * (s.ic + s.oc));
  return RoundUp(std::clamp(fitting, kLeast, kMaxBlockRows - unit), unit);
}

int64_t Tiles(const ConvShape& s, int64_t tile) {
  return s.n * ((s.oh + tile - 1) / tile) * ((s.ow + tile - 1) / tile);
}

// Cycles of one core, from what its parts were measured to take.
double DirectCost(const ConvShape& s, double width) {
  const double oc = static_cast<double>(RoundUp(s.oc, static_cast<int64_t>(width)));
  return static_cast<double>(s.n * s.oh * s.ow) * 9 * static_cast<double>(s.ic) * oc / (2 * width);
}

double WinogradCost(const ConvShape& s, int64_t tile, double width) {
  const auto unit = static_cast<int64_t>(width);
  const auto ic = static_cast<double>(RoundUp(s.ic, unit));
  const auto oc = static_cast<double>(RoundUp(s.oc, unit));
  const double matrices = static_cast<double>((tile + 2) * (tile + 2));
  const auto tiles = static_cast<double>(Tiles(s, tile));
  const double blocks =
      std::max(1.0, tiles / static_cast<double>(TilesOfBlock(s, (tile + 2) * (tile + 2))));
  const double product = matrices * static_cast<double>(s.ic) * oc / (2 * width);
  const double transforms = 5 * matrices * (ic + oc) / width;
  constexpr double kWeightBytesPerCycle = 12;
  return tiles * (product + transforms) +
         blocks * matrices * static_cast<double>(s.ic) * oc * 4 / kWeightBytesPerCycle;
}

}  // namespace

int WinogradTile(const ConvShape& shape) {
  // Larger weights would grow fourfold and be read from memory.
  constexpr int64_t kWeightsOf4 = 256 * 256;
  ConvShape s = shape;
  const bool fits = s.kh == 3 && s.kw == 3 && s.sh == 1 && s.sw == 1 && s.dh == 1 && s.dw == 1 &&
                    s.groups == 1 && s.pt >= 0 && s.pl >= 0;
  if (!fits || s.ic < 8 || s.oc < 4 || SwitchedOff()) return 0;
  const int tile = s.ic * s.oc <= kWeightsOf4 ? 4 : 2;
  s.n = 1;
  s.oh = s.ow = 48;
  return WinogradPays(s, tile) ? tile : 0;
}

bool WinogradKeepsDirect(const ConvShape& s) { return s.ic * s.oc <= 128 * 128; }

bool WinogradPays(const ConvShape& s, int tile) {
  const double width = LITE_ISA_PICK(kGemmTable).vector_width;
  return WinogradCost(s, tile, width) < 0.85 * DirectCost(s, width);
}

namespace {

// Rows of the matrix that transforms 3 weights to tile + 2 values.
std::vector<std::vector<double>> WeightTransform(int tile) {
  if (tile == 2) return {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
  const double a = kWinogradA, b = kWinogradB;
  const double at_0 = a * a * b * b, at_a = 2 * a * a * (a * a - b * b),
               at_b = 2 * b * b * (b * b - a * a);
  return {{1 / at_0, 0, 0},
          {1 / at_a, a / at_a, a * a / at_a},
          {1 / at_a, -a / at_a, a * a / at_a},
          {1 / at_b, b / at_b, b * b / at_b},
          {1 / at_b, -b / at_b, b * b / at_b},
          {0, 0, 1}};
}

}  // namespace

PackedWinograd PackWinograd(const float* weights, int64_t oc, int64_t ic, int tile) {
  const auto g = WeightTransform(tile);
  const int64_t n = tile + 2;
  PackedWinograd packed;
  packed.tile = tile;
  packed.matrix_floats = PackedFloats(ic, oc);
  packed.data = AlignedFloats(packed.matrix_floats * n * n);
  std::vector<float> matrix(ic * oc);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      double factors[9];
      for (int k = 0; k < 9; ++k) factors[k] = g[i][k / 3] * g[j][k % 3];
      for (int64_t o = 0; o < oc; ++o) {
        for (int64_t c = 0; c < ic; ++c) {
          const float* w = weights + (o * ic + c) * 9;
          double sum = 0;
          for (int k = 0; k < 9; ++k) sum += factors[k] * w[k];
          matrix[c * oc + o] = static_cast<float>(sum);
        }
      }
      PackPanels(ic, oc, matrix.data(), oc, false,
                 packed.data.data() + (i * n + j) * packed.matrix_floats, 0, PanelCount(oc));
    }
  }
  return packed;
}

namespace {

constexpr int64_t kMaxPatch = 6, kMaxTile = 4;

class Winograd {
 public:
  Winograd(const ConvShape& s, const float* x, const PackedWinograd& w, const Epilogue& epilogue,
           float* y)
      : s_(s), x_(x), w_(w), epilogue_(epilogue), y_(y), tile_(w.tile), patch_(w.tile + 2) {
    table_ = &LITE_ISA_PICK(kWinogradTable);
    which_ = w.tile / 2 - 1;
    rows_ = (s.oh + tile_ - 1) / tile_;
    columns_ = (s.ow + tile_ - 1) / tile_;
    block_ = std::min(TilesOfBlock(s, patch_ * patch_), RoundUp(s.n * rows_ * columns_, 4));
    // A line more, so that the matrices do not meet in the same cache sets.
    stride_v_ = block_ * s.ic + 16;
    stride_m_ = block_ * s.oc + 16;
    const int64_t width = LITE_ISA_PICK(kGemmTable).vector_width;
    padded_oc_ = RoundUp(s.oc, width);
    steps_ = epilogue.step_count > 0 || !table_->in_registers(epilogue.act);
    if (!steps_) act_ = epilogue.act;
    after_ = epilogue;
    after_.bias = nullptr;
  }

  void Run(int threads) {
    const int64_t tiles = s_.n * rows_ * columns_;
    constexpr int64_t kLeastTiles = 8;
    const int64_t chunks =
        threads <= 1 ? 1 : std::clamp<int64_t>(tiles / kLeastTiles, 1, 2 * int64_t{threads});
    ParallelFor(threads, chunks, [&](int64_t chunk) {
      RunTiles(tiles * chunk / chunks, tiles * (chunk + 1) / chunks);
    });
  }

 private:
  // Parts of a chunk's scratch, in floats.
  struct Layout {
    explicit Layout(const Winograd& w) {
      const int64_t n = w.patch_ * w.patch_;
      m = RoundUp(n * w.stride_v_, 16);
      zeros = m + RoundUp(n * w.stride_m_, 16);
      bias = zeros + RoundUp(w.s_.ic, 16);
      spare = bias + RoundUp(w.padded_oc_, 16);
      total = spare + kMaxTile * kMaxTile * RoundUp(w.s_.oc, 16);
    }
    int64_t m, zeros, bias, spare, total;
  };

  struct Position {
    int64_t image, y, x;  // first output pixel
  };

  Position PositionOf(int64_t tile) const {
    const int64_t in_image = tile % (rows_ * columns_);
    return {tile / (rows_ * columns_), in_image / columns_ * tile_, in_image % columns_ * tile_};
  }

  void RunTiles(int64_t begin, int64_t end) const {
    const Layout layout(*this);
    float* const scratch = static_cast<float*>(ThreadScratch(layout.total * sizeof(float)));
    std::fill_n(scratch + layout.zeros, s_.ic, 0.0f);
    float* const bias = scratch + layout.bias;
    std::fill_n(bias, padded_oc_, 0.0f);
    if (epilogue_.bias != nullptr) std::copy_n(epilogue_.bias, s_.oc, bias);
    for (int64_t first = begin; first < end; first += block_) {
      const int64_t count = std::min(block_, end - first);
      for (int64_t i = 0; i < count; ++i) {
        TransformInput(PositionOf(first + i), scratch + layout.zeros, scratch + i * s_.ic);
      }
      Multiply(count, scratch, scratch + layout.m);
      for (int64_t i = 0; i < count; ++i) {
        TransformOutput(PositionOf(first + i), scratch + layout.m + i * s_.oc, bias,
                        scratch + layout.spare);
      }
    }
  }

  void TransformInput(const Position& at, const float* zeros, float* v) const {
    const float* pixels[kMaxPatch * kMaxPatch];
    for (int64_t i = 0; i < patch_; ++i) {
      const int64_t iy = at.y - s_.pt + i;
      const float* row = x_ + (at.image * s_.ih + iy) * s_.iw * s_.ic;
      const bool row_inside = iy >= 0 && iy < s_.ih;
      for (int64_t j = 0; j < patch_; ++j) {
        const int64_t ix = at.x - s_.pl + j;
        pixels[i * patch_ + j] = row_inside && ix >= 0 && ix < s_.iw ? row + ix * s_.ic : zeros;
      }
    }
    table_->input[which_](pixels, s_.ic, v, stride_v_);
  }

  void Multiply(int64_t tiles, const float* v, float* m) const {
    const float* rows[kMaxBlockRows];
    const int64_t offset = 0;
    const Epilogue none;
    GemmBlock g;
    g.rows = rows;
    g.row_count = tiles;
    g.offsets = &offset;
    g.segments = 1;
    g.length = s_.ic;
    g.columns = s_.oc;
    g.last_panel = PanelCount(s_.oc);
    g.ldc = s_.oc;
    g.epilogue = &none;
    for (int64_t i = 0; i < patch_ * patch_; ++i) {
      for (int64_t r = 0; r < tiles; ++r) rows[r] = v + i * stride_v_ + r * s_.ic;
      g.b = w_.data.data() + i * w_.matrix_floats;
      g.c = m + i * stride_m_;
      LITE_ISA_PICK(kGemmTable).run_block(g);
    }
  }

  // Pixels beyond the output's edge go to `spare`; with steps, which may read y, all do.
  void TransformOutput(const Position& at, const float* m, const float* bias, float* spare) const {
    float* pixels[kMaxTile * kMaxTile];
    const int64_t height = std::min(tile_, s_.oh - at.y), width = std::min(tile_, s_.ow - at.x);
    const int64_t first = (at.image * s_.oh + at.y) * s_.ow + at.x;
    for (int64_t i = 0; i < tile_; ++i) {
      for (int64_t j = 0; j < tile_; ++j) {
        const bool outside = i >= height || j >= width;
        pixels[i * tile_ + j] = outside || steps_ ? spare + (i * tile_ + j) * s_.oc
                                                  : y_ + (first + i * s_.ow + j) * s_.oc;
      }
    }
    table_->output[which_](m, stride_m_, s_.oc, bias, act_, pixels);
    for (int64_t i = 0; steps_ && i < height; ++i) {
      const int64_t row = first + i * s_.ow;
      RunEpilogue(width, s_.oc, pixels[i * tile_], s_.oc, y_ + row * s_.oc, s_.oc, after_, row, 0);
    }
  }

  const ConvShape& s_;
  const float* const x_;
  const PackedWinograd& w_;
  const Epilogue& epilogue_;
  float* const y_;
  const int64_t tile_, patch_;
  const WinogradTable* table_;
  int which_;
  int64_t rows_, columns_, block_, stride_v_, stride_m_, padded_oc_;
  bool steps_;
  Activation act_;
  Epilogue after_;
};

}  // namespace

void WinogradNhwc(int threads, const ConvShape& s, const float* x, const PackedWinograd& weights,
                  const Epilogue& epilogue, float* y) {
  if (s.n <= 0 || s.oh <= 0 || s.ow <= 0 || s.oc <= 0) return;
  Winograd(s, x, weights, epilogue, y).Run(threads);
}

}  // namespace paddle::lite::math
