#include "lite/kernels/cpu/math/winograd.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/packing_table.h"
#include "lite/kernels/cpu/math/parallel_range.h"
#include "lite/kernels/cpu/math/tile_table.h"
#include "lite/kernels/cpu/math/tiles.h"
#include "lite/kernels/cpu/math/winograd_sizes.h"
#include "lite/kernels/cpu/math/work_split.h"

namespace paddle::lite::math {

using namespace winograd;

namespace {

// oc x (parts x ic) x 3 x 3 of a larger filter; what is beyond it is 0.
std::vector<float> CutFilters(const float* weights, const ConvShape& s) {
  const int64_t down = PartsOf(s.kh), right = PartsOf(s.kw);
  std::vector<float> cut(static_cast<size_t>(s.oc * DepthOf(s) * 9));
  for (int64_t o = 0; o < s.oc; ++o)
    for (int64_t c = 0; c < s.ic; ++c)
      for (int64_t y = 0; y < s.kh; ++y)
        for (int64_t x = 0; x < s.kw; ++x) {
          const int64_t part = y / 3 * right + x / 3;
          const int64_t to = ((o * down * right + part) * s.ic + c) * 9 + y % 3 * 3 + x % 3;
          cut[static_cast<size_t>(to)] = *weights++;
        }
  return cut;
}

PackedWinograd Pack3x3(const float* weights, int64_t oc, int64_t ic, int tile, int threads,
                       bool cpu_tiles) {
  const PackingTable& table = LITE_ISA_PICK(kPackingTable);
  const int64_t matrices = (tile + 2) * (tile + 2), vector = LITE_ISA_PICK(kGemmTable).vector_width;
  PackedWinograd packed;
  packed.tile = tile;
  packed.cpu_tiles = cpu_tiles;
  packed.matrix_floats = packed.cpu_tiles ? TileFloats(ic, oc) : PackedFloats(ic, oc);
  packed.data = AlignedFloats::Lasting(packed.matrix_floats * matrices);
  if (packed.data.packed()) return packed;
  // The matrices lie powers of two apart: channels come to them in runs, through scratch.
  const int64_t channels = packed.cpu_tiles ? kTileDepth : 8;
  ParallelFor(PackThreads(threads, packed.data.size()), PanelCount(oc), [&](int64_t panel) {
    const int64_t begin = PanelColumn(panel, oc), end = PanelColumn(panel + 1, oc);
    TurnedPanel turned;
    turned.ldx = ic * 9;
    turned.columns = end - begin;
    turned.width = RoundUp(end - begin, vector);
    turned.flush = true;
    const int64_t stride = channels * turned.width;
    float* const scratch =
        static_cast<float*>(ThreadScratch((9 + matrices) * stride * sizeof(float)));
    turned.y = scratch + matrices * stride;
    for (int64_t c = 0; c < ic; c += channels) {
      const int64_t count = std::min(channels, ic - c);
      turned.x = weights + (begin * ic + c) * 9;
      turned.channels = turned.tap_rows = count * 9;
      table.turn(turned);
      table.winograd[tile / 2 - 1](turned.y, count, turned.width, scratch, stride);
      for (int64_t i = 0; i < matrices; ++i) {
        float* const matrix = packed.data.data() + i * packed.matrix_floats;
        if (packed.cpu_tiles)
          PackTileRun(ic, oc, panel, c, scratch + i * stride, matrix);
        else
          std::memcpy(matrix + begin * ic + c * turned.width, scratch + i * stride,
                      count * turned.width * sizeof(float));
      }
    }
  });
  return packed;
}

}  // namespace

PackedWinograd PackWinograd(const float* weights, int64_t oc, int64_t ic, int tile, int threads,
                            const ConvShape* shape) {
  if (shape == nullptr) return Pack3x3(weights, oc, ic, tile, threads, false);
  const bool cpu_tiles = CpuTilesPay(*shape, tile);
  if (shape->kh == 3 && shape->kw == 3) return Pack3x3(weights, oc, ic, tile, threads, cpu_tiles);
  return Pack3x3(CutFilters(weights, *shape).data(), oc, DepthOf(*shape), tile, threads, cpu_tiles);
}

namespace {

constexpr int64_t kMaxPatch = 6, kMaxTile = 4;

// Shorter than elsewhere: what these sums lose grows once more on the way back from tiles.
constexpr int64_t kPart = 32;

// Transformed weights, or integers that become such.
struct Weights {
  int tile;
  const PackedWinograd* floats;
  const PackedConv* integers;
};

class Winograd {
 public:
  Winograd(const ConvShape& s, const float* x, const Weights& w, const Epilogue& epilogue, float* y)
      : s_(s),
        x_(x),
        w_(w),
        epilogue_(epilogue),
        y_(y),
        depth_(DepthOf(s)),
        tile_(w.tile),
        patch_(w.tile + 2) {
    table_ = &LITE_ISA_PICK(kWinogradTable);
    which_ = w.tile / 2 - 1;
    cpu_tiles_ = w.floats != nullptr && w.floats->cpu_tiles;
    if (w.integers != nullptr) {
      const int64_t most = LITE_ISA_PICK(kGemmTable).last_panel_vectors;
      room_stride_ = s.ic * most * LITE_ISA_PICK(kGemmTable).vector_width + 16;
    }
    rows_ = TilesOfAxis(s.oh, s.dh, tile_);
    columns_ = TilesOfAxis(s.ow, s.dw, tile_);
    const int64_t least = w.integers != nullptr ? kLeastOfIntegers
                          : cpu_tiles_          ? kLeastOfCpuTiles
                                                : kLeastOfFloats;
    block_ = TilesOfBlock(s, tile_, least);
    // A line more, so that the matrices do not meet in the same cache sets.
    stride_v_ = block_ * depth_ + 16;
    stride_m_ = block_ * s.oc + 16;
    const int64_t width = LITE_ISA_PICK(kGemmTable).vector_width;
    padded_oc_ = RoundUp(s.oc, width);
    DivideEpilogue();
  }

  void Run(int threads) {
    const int64_t tiles = Tiles(s_, tile_);
    if (SplitsProducts(threads, tiles)) return RunTogether(threads, tiles);
    constexpr int64_t kTilesOfChunk = 8;
    const int64_t chunks =
        threads <= 1 ? 1 : std::clamp<int64_t>(tiles / kTilesOfChunk, 1, 2 * int64_t{threads});
    ParallelFor(threads, chunks, [&](int64_t chunk) {
      RunTiles(tiles * chunk / chunks, tiles * (chunk + 1) / chunks);
    });
  }

 private:
  // What output transforms do in registers, an activation or slopes, and the steps that are left.
  void DivideEpilogue() {
    if (epilogue_.act.kind != Act::kNone) {
      EpilogueStep act;
      act.act = epilogue_.act;
      steps_.push_back(act);
    }
    steps_.insert(steps_.end(), epilogue_.steps, epilogue_.steps + epilogue_.step_count);
    if (steps_.empty()) return;
    const EpilogueStep& first = steps_[0];
    if (first.op == EpilogueStep::kAct && table_->in_registers(first.act)) {
      act_ = first.act;
    } else if (first.op == EpilogueStep::kAct && first.act.kind == Act::kLeakyRelu) {
      slopes_.assign(padded_oc_, first.act.a);
    } else if (first.op == EpilogueStep::kPrelu && first.bytes == nullptr &&
               first.row_stride == 0 && first.image_stride == 0) {
      slopes_.assign(padded_oc_, *first.data);
      if (first.col_stride != 0) std::copy_n(first.data, s_.oc, slopes_.begin());
    } else {
      return;
    }
    steps_.erase(steps_.begin());
  }

  // Parts of a chunk's scratch, in floats.
  struct Layout {
    explicit Layout(const Winograd& w) {
      const int64_t n = w.patch_ * w.patch_;
      m = RoundUp(n * w.stride_v_, 16);
      zeros = m + RoundUp(n * w.stride_m_, 16);
      bias = zeros + RoundUp(w.s_.ic, 16);
      spare = bias + RoundUp(w.padded_oc_, 16);
      room = spare + kMaxTile * kMaxTile * RoundUp(w.s_.oc, 16);
      total = room + n * w.room_stride_;
    }
    int64_t m, zeros, bias, spare, room, total;
  };

  struct Position {
    int64_t image, y, x;  // first output pixel
  };

  Position PositionOf(int64_t tile) const {
    const int64_t grid = rows_ * columns_, at = tile % grid, phase = tile / grid % (s_.dh * s_.dw);
    return {tile / (grid * s_.dh * s_.dw), at / columns_ * tile_ * s_.dh + phase / s_.dw,
            at % columns_ * tile_ * s_.dw + phase % s_.dw};
  }

  // Each thread takes tiles of its own and reads all weights, or a part of the products of all
  // tiles, which threads then hand to each other: whichever is less to read.
  bool SplitsProducts(int threads, int64_t tiles) const {
    constexpr double kWorkOfOneThread = 200e3;
    const double matrix = static_cast<double>(depth_) * static_cast<double>(s_.oc);
    const double work = matrix * static_cast<double>(tiles * patch_ * patch_);
    if (threads <= 1 || work < kWorkOfOneThread * threads) return false;
    return matrix > static_cast<double>(tiles / threads * (depth_ + s_.oc));
  }

  // Zeros and the bias in a new scratch.
  float* Prepare(const Layout& layout, ScratchSlot slot) const {
    float* const scratch = static_cast<float*>(ThreadScratch(layout.total * sizeof(float), slot));
    std::fill_n(scratch + layout.zeros, s_.ic, 0.0f);
    float* const bias = scratch + layout.bias;
    std::fill_n(bias, padded_oc_, 0.0f);
    if (epilogue_.bias != nullptr) std::copy_n(epilogue_.bias, s_.oc, bias);
    return scratch;
  }

  void RunTiles(int64_t begin, int64_t end) const {
    const Layout layout(*this);
    float* const scratch = Prepare(layout, kScratchChunk);
    const int64_t step = EvenPart(end - begin, block_, 1);
    for (int64_t first = begin; first < end; first += step) {
      const int64_t count = std::min(step, end - first);
      TransformInputs(first, 0, count, layout, scratch);
      if (w_.integers != nullptr)
        MultiplyIntegers(count, 0, PanelCount(s_.oc), scratch, scratch + layout.m,
                         scratch + layout.room);
      else
        Multiply(count, 0, patch_ * patch_ * PanelCount(s_.oc), scratch, scratch + layout.m);
      TransformOutputs(first, 0, count, layout, scratch, scratch + layout.spare);
    }
  }

  void RunTogether(int threads, int64_t tiles) const {
    const Layout layout(*this);
    float* const scratch = Prepare(layout, kScratchFunction);
    const bool integers = w_.integers != nullptr;
    const int64_t panels = (integers ? 1 : patch_ * patch_) * PanelCount(s_.oc);
    for (int64_t first = 0; first < tiles; first += block_) {
      const int64_t count = std::min(block_, tiles - first);
      ParallelRange(threads, count, 1, [&](int64_t begin, int64_t end) {
        TransformInputs(first, begin, end, layout, scratch);
      });
      ParallelRange(threads, panels, 1, [&](int64_t begin, int64_t end) {
        if (!integers) return Multiply(count, begin, end, scratch, scratch + layout.m);
        void* const room =
            ThreadScratch((layout.total - layout.room) * sizeof(float), kScratchChunk);
        MultiplyIntegers(count, begin, end, scratch, scratch + layout.m, static_cast<float*>(room));
      });
      ParallelRange(threads, count, 1, [&](int64_t begin, int64_t end) {
        float* const spare = static_cast<float*>(
            ThreadScratch((layout.room - layout.spare) * sizeof(float), kScratchChunk));
        TransformOutputs(first, begin, end, layout, scratch, spare);
      });
    }
  }

  // The tiles [begin, end) of the block that begins with tile `first`.
  void TransformInputs(int64_t first, int64_t begin, int64_t end, const Layout& layout,
                       float* scratch) const {
    for (int64_t i = begin; i < end; ++i)
      TransformInput(PositionOf(first + i), scratch + layout.zeros, scratch + i * depth_);
  }

  void TransformOutputs(int64_t first, int64_t begin, int64_t end, const Layout& layout,
                        const float* scratch, float* spare) const {
    for (int64_t i = begin; i < end; ++i) {
      TransformOutput(PositionOf(first + i), scratch + layout.m + i * s_.oc, scratch + layout.bias,
                      spare);
    }
  }

  void TransformInput(const Position& at, const float* zeros, float* v) const {
    const int64_t top = at.y - s_.pt, left = at.x - s_.pl;
    for (int64_t y = top; y < top + s_.kh * s_.dh; y += 3 * s_.dh)
      for (int64_t x = left; x < left + s_.kw * s_.dw; x += 3 * s_.dw, v += s_.ic)
        TransformPatch(at.image, y, x, zeros, v);
  }

  void TransformPatch(int64_t image, int64_t y, int64_t x, const float* zeros, float* v) const {
    const float* pixels[kMaxPatch * kMaxPatch];
    for (int64_t i = 0; i < patch_; ++i) {
      const int64_t iy = y + i * s_.dh;
      const float* row = x_ + (image * s_.ih + iy) * s_.iw * s_.XPixel();
      const bool row_inside = iy >= 0 && iy < s_.ih;
      for (int64_t j = 0; j < patch_; ++j) {
        const int64_t ix = x + j * s_.dw;
        pixels[i * patch_ + j] =
            row_inside && ix >= 0 && ix < s_.iw ? row + ix * s_.XPixel() : zeros;
      }
    }
    table_->input[which_](pixels, s_.ic, v, stride_v_);
  }

  // What the products of all matrices have in common.
  GemmBlock BlockOf(int64_t tiles, const float* const* rows) const {
    static constexpr int64_t kOffset = 0;
    static const Epilogue kNone;
    GemmBlock g;
    g.rows = rows;
    g.row_count = tiles;
    g.offsets = &kOffset;
    g.segments = 1;
    g.length = depth_;
    g.part = kPart;
    g.ldc = s_.oc;
    g.epilogue = &kNone;
    return g;
  }

  // The products of panels [begin, end), counted through all matrices.
  void Multiply(int64_t tiles, int64_t begin, int64_t end, const float* v, float* m) const {
    const float* rows[kMaxBlockRows];
    const int64_t panels = PanelCount(s_.oc);
    float* const room = cpu_tiles_
                            ? static_cast<float*>(ThreadScratch(
                                  TileRoom(tiles, s_.oc, depth_) * sizeof(float), kScratchBlock))
                            : nullptr;
    GemmBlock g = BlockOf(tiles, rows);
    g.columns = s_.oc;
    for (int64_t i = begin / panels; i * panels < end; ++i) {
      for (int64_t r = 0; r < tiles; ++r) rows[r] = v + i * stride_v_ + r * depth_;
      g.first_panel = std::max<int64_t>(begin - i * panels, 0);
      g.last_panel = std::min(end - i * panels, panels);
      g.b = w_.floats->data.data() + i * w_.floats->matrix_floats;
      g.next = (i + 1) * panels < end ? g.b + w_.floats->matrix_floats : nullptr;
      g.c = m + i * stride_m_;
      if (cpu_tiles_)
        RunTileBlock(g, room);
      else
        LITE_ISA_PICK(kGemmTable).run_block(g);
    }
  }

  // The products of panels [begin, end) of all matrices; `room` is for those of one panel.
  void MultiplyIntegers(int64_t tiles, int64_t begin, int64_t end, const float* v, float* m,
                        float* room) const {
    const float* rows[kMaxBlockRows];
    const int64_t matrices = patch_ * patch_;
    GemmBlock g = BlockOf(tiles, rows);
    g.last_panel = 1;
    for (int64_t panel = begin; panel < end; ++panel) {
      const int64_t first = PanelColumn(panel, s_.oc);
      g.columns = PanelColumn(panel + 1, s_.oc) - first;
      TransformPanel(first, g.columns, room);
      for (int64_t i = 0; i < matrices; ++i) {
        for (int64_t r = 0; r < tiles; ++r) rows[r] = v + i * stride_v_ + r * depth_;
        g.b = room + i * room_stride_;
        g.next = i + 1 < matrices ? g.b + room_stride_ : nullptr;
        g.c = m + i * stride_m_ + first;
        LITE_ISA_PICK(kGemmTable).run_block(g);
      }
    }
  }

  // The matrices of a panel of integers, `room_stride_` floats apart.
  void TransformPanel(int64_t first, int64_t columns, float* room) const {
    const int64_t width = RoundUp(columns, LITE_ISA_PICK(kGemmTable).vector_width);
    LITE_ISA_PICK(kPackingTable)
        .winograd_integers[which_](w_.integers->integers() + first * 9 * s_.ic, s_.ic, width,
                                   w_.integers->scales.data() + first, room, room_stride_);
  }

  // Pixels beyond the output's edge go to `spare`; with steps, which may read y, all do.
  void TransformOutput(const Position& at, const float* m, const float* bias, float* spare) const {
    float* pixels[kMaxTile * kMaxTile];
    const int64_t height = std::min(tile_, (s_.oh - at.y + s_.dh - 1) / s_.dh);
    const int64_t width = std::min(tile_, (s_.ow - at.x + s_.dw - 1) / s_.dw);
    const int64_t first = (at.image * s_.oh + at.y) * s_.ow + at.x;
    for (int64_t i = 0; i < tile_; ++i) {
      for (int64_t j = 0; j < tile_; ++j) {
        const bool outside = i >= height || j >= width;
        pixels[i * tile_ + j] = outside || !steps_.empty()
                                    ? spare + (i * tile_ + j) * s_.oc
                                    : y_ + (first + i * s_.dh * s_.ow + j * s_.dw) * s_.YPixel();
      }
    }
    table_->output[which_](m, stride_m_, s_.oc, bias, act_,
                           slopes_.empty() ? nullptr : slopes_.data(), pixels);
    if (steps_.empty()) return;
    const int64_t together = s_.dw == 1 ? std::max<int64_t>(width, 1) : 1;
    for (int64_t i = 0; i < height; ++i)
      for (int64_t j = 0; j < width; j += together) {
        const int64_t row = first + i * s_.dh * s_.ow + j * s_.dw;
        LITE_ISA_PICK(kStepsTable)
            .run(together, s_.oc, pixels[i * tile_ + j], s_.oc, y_ + row * s_.YPixel(), s_.YPixel(),
                 steps_.data(), static_cast<int>(steps_.size()), epilogue_.rows_per_image, row, 0);
      }
  }

  const ConvShape& s_;
  const float* const x_;
  const Weights w_;
  const Epilogue& epilogue_;
  float* const y_;
  const int64_t depth_, tile_, patch_;
  const WinogradTable* table_;
  int which_;
  int64_t rows_, columns_, block_, stride_v_, stride_m_, padded_oc_, room_stride_ = 0;
  bool cpu_tiles_;
  Activation act_;
  std::vector<float> slopes_;  // below zero, of each channel; empty without
  std::vector<EpilogueStep> steps_;
};

}  // namespace

void WinogradNhwc(int threads, const ConvShape& s, const float* x, const PackedWinograd& weights,
                  const Epilogue& epilogue, float* y) {
  if (s.n <= 0 || s.oh <= 0 || s.ow <= 0 || s.oc <= 0) return;
  Winograd(s, x, {weights.tile, &weights, nullptr}, epilogue, y).Run(threads);
}

void WinogradIntegers(int threads, const ConvShape& s, const float* x, const PackedConv& integers,
                      int tile, const Epilogue& epilogue, float* y) {
  if (s.n <= 0 || s.oh <= 0 || s.ow <= 0 || s.oc <= 0) return;
  Winograd(s, x, {tile, nullptr, &integers}, epilogue, y).Run(threads);
}

}  // namespace paddle::lite::math
