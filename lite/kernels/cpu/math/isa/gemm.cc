#include <new>

#include "lite/kernels/cpu/math/caches.h"
#include "lite/kernels/cpu/math/isa/panel_finish.h"
#include "lite/kernels/cpu/math/isa/widen.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

#if defined(__aarch64__)
typedef NeonTile GemmTile;
typedef void (*GemmFunction)(NeonTile*);
#include "neon_tiles.inc"
constexpr auto& kTiles = kFloats;
constexpr auto& kTileRows = kFloatRows;
#else
struct GemmTile {
  const float* const* rows;
  const int64_t* offsets;
  int64_t segments, length;
  const float* b;          // or:
  const int8_t* integers;  // times
  const float* scales;     // of each column
  const float* next;       // packed floats to prefetch
  int64_t next_step;       // floats from one step to the next; 0 where there is nothing to prefetch
  const float* in;         // sums of the earlier K blocks, or null
  int64_t ldin;
  float* out;
  int64_t ldout;
  int lanes;          // of the last vector of `in` and `out`
  const float* bias;  // whole vectors: what sums begin with where there is no `in`
  Finish finish;
  float p0, p1, p2, p3, p4;
  const float* residual;  // for kResidual
  int64_t ldresidual;
};

#if defined(__AVX512F__)
// MulAdd of the lower half of a vector: half the work on CPUs that have no wider units.
LITE_INLINE void MulAddLow(V* sum, V x, V y) {
  asm("vfmadd231ps %t2, %t1, %t0" : "+v"(*sum) : "v"(x), "v"(y));
}

// MulAdd of *x in every lane: broadcast by the multiplication itself, since a load into a wide
// register takes AMD's cores longer, and a single vector does not hide that.
LITE_INLINE void MulAddAt(V* sum, const float* x, V y) {
  asm("vfmadd231ps %2%{1to16%}, %1, %0" : "+v"(*sum) : "v"(y), "m"(*x));
}
LITE_INLINE void MulAddAtLow(V* sum, const float* x, V y) {
  asm("vfmadd231ps %2%{1to8%}, %t1, %t0" : "+v"(*sum) : "v"(y), "m"(*x));
}
#else
LITE_INLINE void MulAddAt(V* sum, const float* x, V y) { MulAdd(sum, Splat(*x), y); }
#endif

typedef void (*GemmFunction)(const GemmTile&);
#include "gemm_tiles.inc"
#endif

// What a microkernel reads of a row at once, at most. More gained nothing; sums of more blocks are
// stored and read again.
int64_t BlockLength() {
  constexpr int64_t kPanelRow = kPanelVectors * kW * sizeof(float);
#if defined(__aarch64__)
  // Rows of 4 take little of L1: the panel's slice has half of it.
  constexpr int64_t kLeast = 128, kMost = 512;
  const int64_t fitting = L1CacheBytes() / 2 / kPanelRow;
#else
  constexpr int64_t kLeast = 512, kMost = kMostBlockLength;
  const int64_t fitting = L2CacheBytes() / 8 / kPanelRow;
#endif
  return fitting < kLeast ? kLeast : fitting < kMost ? fitting : kMost;
}

// K blocks: runs of whole segments, or one part of a segment.
struct KBlocks {
  KBlocks(int64_t segments, int64_t length) : segments(segments), length(length) {
    const int64_t longest = BlockLength();
    if (length > longest) {
      const int64_t parts = (length + longest - 1) / longest;
      part = (length + parts - 1) / parts;
      group = 1;
      per_segment = parts;
      count = segments > 0 ? segments * parts : 1;
    } else {
      const int64_t most = length > 0 ? longest / length : segments;
      const int64_t groups = segments > 0 ? (segments + most - 1) / most : 1;
      part = length;
      group = (segments + groups - 1) / groups;
      per_segment = 1;
      count = group > 0 ? (segments + group - 1) / group : 1;
    }
  }

  int64_t segments, length;
  int64_t part, group, per_segment, count;
};

// A step may read the memory of C, so C cannot hold partial sums then.
bool NeedsPartial(int64_t segments, int64_t length, const Epilogue& epilogue) {
  return epilogue.step_count > 0 && KBlocks(segments, length).count > 1;
}

struct Panel : PanelPlace {
  const float* b;
};

Panel PanelAt(const GemmBlock& g, int64_t index) {
  const PanelPlace place(g.columns, index);
  return {place, g.b + place.first_column * g.segments * g.length};
}

// Contiguous packed floats.
struct Slice {
  const float* data = nullptr;
  int64_t floats = 0;
};

// What a K block covers.
struct KPart {
  KPart(const KBlocks& k, int64_t block)
      : segment(block / k.per_segment * k.group), start(block % k.per_segment * k.part) {
    segments = k.segments - segment < k.group ? k.segments - segment : k.group;
    length = k.length - start < k.part ? k.length - start : k.part;
    first = segment * k.length + start;
  }

  Slice Of(const Panel& panel) const {
    const int64_t width = panel.vectors * kW;
    return {panel.b + first * width, segments * length * width};
  }

  int64_t segment, start;  // the first segment and where in it
  int64_t segments, length;
  int64_t first;  // row of B
};

// Where B is in integers: what of it a K block covers of a panel.
const int8_t* IntegersOf(const GemmBlock& g, const Panel& panel, const KPart& part) {
  return g.integers + panel.first_column * g.segments * g.length + part.first * panel.vectors * kW;
}

// So few rows read B in integers as it is; for more it becomes floats first.
bool ReadsIntegers([[maybe_unused]] const GemmBlock& g, [[maybe_unused]] const Panel& panel) {
#if defined(__aarch64__)
  return false;
#else
  return g.integers != nullptr && g.row_count <= kIntegerTileRows[panel.vectors];
#endif
}

// The microkernels of a panel, by rows.
const GemmFunction* TilesOf([[maybe_unused]] const GemmBlock& g, const Panel& panel) {
#if !defined(__aarch64__)
  if (ReadsIntegers(g, panel)) return kIntegerTiles[panel.vectors];
#endif
#if defined(__AVX512F__)
  if (panel.LastLanes() <= kW / 2) return kHalfTiles[panel.vectors];
#endif
  return kTiles[panel.vectors];
}

// One K block of one panel.
class PanelRun {
 public:
  // Runs will ask for `next` meanwhile.
  PanelRun(const GemmBlock& g, const Panel& panel, const KPart& part, bool first, bool last,
           Slice next)
      : g_(g),
        panel_(panel),
        tiles_(TilesOf(g, panel)),
        first_(first),
        last_(last),
        next_(next),
        place_{g.c, g.ldc, g.row_count, g.first_row, g.first_column},
        finish_(*g.epilogue, place_, panel_) {
    finish_.Set(&t_);
    if (t_.finish == kClamp && t_.p1 == __builtin_inff())
      t_.finish = t_.p0 == -__builtin_inff() ? kRaw : kAtLeast;
    if (!last) t_.finish = kRaw;
    t_.segments = part.segments;
    t_.length = part.length;
    t_.b = part.Of(panel_).data;
#if !defined(__aarch64__)
    if (ReadsIntegers(g, panel)) {
      t_.integers = IntegersOf(g, panel, part);
      t_.scales = g.scales + panel.first_column;
    }
    asks_ = first && last && part.segments * part.length < kShort;
    asked_ = part.length / kTileUnroll * part.segments * kStep;
#endif
    // Whole short segments make a block; parts of a segment come one by one.
    t_.offsets = g_.offsets + part.segment;
    if (part.start != 0) {
      shifted_ = *t_.offsets + part.start;
      t_.offsets = &shifted_;
    }
  }
  PanelRun(const PanelRun&) = delete;

#if defined(__aarch64__)
  // Rows of the block, in tiles of two heights.
  void Run(int64_t row, int64_t rows) {
    const int most = kTileRows[panel_.vectors];
    const int64_t tiles = (rows + most - 1) / most;
    const int64_t base = rows / tiles, extra = rows % tiles;
    RunTiles(row, static_cast<int>(base + 1), extra);
    RunTiles(row + extra * (base + 1), static_cast<int>(base), tiles - extra);
  }
#else
  // Rows of the block; every row tile asks for a part of `next`, until it is all on its way.
  void Run(int64_t row, int64_t rows) {
    const int most = kTileRows[panel_.vectors];
    const int64_t tiles = (rows + most - 1) / most;
    const int64_t base = rows / tiles, extra = rows % tiles;
    for (int64_t i = 0; i < tiles; ++i) {
      const int64_t count = base + (i < extra ? 1 : 0);
      t_.next_step = i * asked_ < next_.floats ? kStep : 0;
      t_.next = t_.next_step != 0 ? next_.data + i * asked_ : t_.b;
      RunTile(row, static_cast<int>(count));
      row += count;
    }
  }
#endif

 private:
  struct Sums {
    float* data;
    int64_t stride;  // of rows
  };

  // Where the sums of the K blocks before the last are kept.
  Sums SumsAt(int64_t row) const {
    if (g_.partial != nullptr)
      return {g_.partial + row * g_.columns + panel_.first_column, g_.columns};
    return {g_.c + row * g_.ldc + panel_.first_column, g_.ldc};
  }

#if defined(__aarch64__)
  void RunTiles(int64_t row, int count, int64_t tiles) {
    if (tiles == 0) return;
    const Sums sums = SumsAt(row);
    t_.rows = reinterpret_cast<const void* const*>(g_.rows + row);
    if (panel_.LastLanes() != kW || (last_ && !finish_.direct())) {
      for (int64_t i = 0; i < tiles; ++i, row += count, t_.rows += count)
        RunAside(row, count, {sums.data + i * count * sums.stride, sums.stride});
      return;
    }
    t_.in = first_ ? nullptr : sums.data;
    t_.ldin = sums.stride;
    t_.out = sums.data;
    t_.ldout = sums.stride;
    if (last_) finish_.Aim(row, &t_);
    t_.tiles = tiles;
    tiles_[count](&t_);
  }

  // A tile that the microkernel works on in memory of its own.
  void RunAside(int64_t row, int count, const Sums& sums) {
    alignas(16) float buffer[kMostRows * kPanelVectors * kW];
    const int64_t width = panel_.vectors * kW;
    if (!first_) CopyRows(count, sums.data, sums.stride, buffer, width);
    t_.in = first_ ? nullptr : buffer;
    t_.ldin = width;
    if (last_) return finish_.Run(tiles_[count], row, count, &t_);
    t_.out = buffer;
    t_.ldout = width;
    t_.tiles = 1;
    tiles_[count](&t_);
    CopyRows(count, buffer, width, sums.data, sums.stride);
  }

  void CopyRows(int count, const float* from, int64_t ldfrom, float* to, int64_t ldto) const {
    for (int r = 0; r < count; ++r, from += ldfrom, to += ldto)
      for (int64_t j = 0; j < panel_.columns; ++j) to[j] = from[j];
  }
#else
  static constexpr int64_t kStep = kTileLines * kLineFloats;
  // Tiles of so few products are done before the last one's results have found their way to memory:
  // they ask for the lines first. Longer ones lose by it.
  static constexpr int64_t kShort = 64;

  void RunTile(int64_t row, int count) {
    const Sums sums = SumsAt(row);
    t_.rows = g_.rows + row;
    t_.in = first_ ? nullptr : sums.data;
    t_.ldin = sums.stride;
    if (asks_) finish_.AskForResults(row, count);
    if (last_) return finish_.Run(tiles_[count], row, count, &t_);
    t_.out = sums.data;
    t_.ldout = sums.stride;
    tiles_[count](t_);
  }
#endif

  const GemmBlock& g_;
  const Panel panel_;
  const GemmFunction* const tiles_;
  const bool first_, last_;
  bool asks_ = false;
  const Slice next_;
  const BlockPlace place_;
  const PanelFinish finish_;
  GemmTile t_;
  int64_t shifted_ = 0, asked_ = 0;
};

// All panels of some rows before the next rows: small panels stay in L1, and rows of A and C pass
// through it once, whole.
constexpr int kRowsFirstPanels = 8;

bool RowsFirst(const GemmBlock& g, const KBlocks& k) {
  const int64_t panels = g.last_panel - g.first_panel;
  const int64_t bytes = g.segments * g.length * kPanelVectors * kW * panels * 4;
  return k.count == 1 && panels > 1 && panels <= kRowsFirstPanels && bytes <= L1CacheBytes() / 2;
}

void RunRowsFirst(const GemmBlock& g, const KPart& part) {
  alignas(PanelRun) char memory[kRowsFirstPanels][sizeof(PanelRun)];
  const int panels = static_cast<int>(g.last_panel - g.first_panel);
  PanelRun* runs[kRowsFirstPanels];
  for (int i = 0; i < panels; ++i) {
    const Panel panel = PanelAt(g, g.first_panel + i);
    runs[i] = new (memory[i]) PanelRun(g, panel, part, true, true, {});
  }
  const int most = kTileRows[kPanelVectors];
  const int64_t tiles = (g.row_count + most - 1) / most;
  const int64_t base = g.row_count / tiles, extra = g.row_count % tiles;
  for (int64_t i = 0, row = 0; i < tiles; ++i) {
    const int64_t count = base + (i < extra ? 1 : 0);
    for (int p = 0; p < panels; ++p) runs[p]->Run(row, count);
    row += count;
  }
}

static_assert(kMostBlockLength * kLastPanelVectors * kW <= kWidenedFloats, "room for a K block");

template <int vectors>
void WidenRows(const int8_t* from, int64_t rows, const float* scales, float* to) {
  V scale[vectors];
  for (int v = 0; v < vectors; ++v) scale[v] = Load(scales + v * kW);
  for (int64_t i = 0; i < rows; ++i, from += vectors * kW, to += vectors * kW)
    for (int v = 0; v < vectors; ++v) Store(to + v * kW, WidenInts(from + v * kW) * scale[v]);
}

// The same as floats, in the block's room.
void WidenPanel(const GemmBlock& g, KPart* part, Panel* panel) {
  constexpr decltype(&WidenRows<1>) kWiden[] = {nullptr, WidenRows<1>, WidenRows<2>, WidenRows<3>,
                                                WidenRows<4>};
  kWiden[panel->vectors](IntegersOf(g, *panel, *part), part->segments * part->length,
                         g.scales + panel->first_column, g.room);
  panel->b = g.room;
  part->first = 0;
}

Slice NextSlice(const GemmBlock& g, const Panel& panel, const KPart& part) {
  if (g.integers == nullptr) return part.Of(panel);
  const int64_t bytes = part.segments * part.length * panel.vectors * kW;
  return {reinterpret_cast<const float*>(IntegersOf(g, panel, part)), bytes / 4};
}

void RunBlock(const GemmBlock& g) {
  const KBlocks k(g.segments, g.length);
  KPart part(k, 0);
  if (g.integers == nullptr && RowsFirst(g, k)) return RunRowsFirst(g, part);
  const Panel first = PanelAt(g, g.first_panel);
  for (int64_t block = 0; block < k.count; ++block) {
    const bool last_block = block + 1 == k.count;
    const KPart next_part(k, last_block ? 0 : block + 1);
    Panel panel = first;
    for (int64_t p = g.first_panel; p < g.last_panel; ++p) {
      const bool last = p + 1 == g.last_panel;
      const Panel next_panel = last ? first : PanelAt(g, p + 1);
      Slice next = NextSlice(g, next_panel, last ? next_part : part);
      if (last && last_block) {
        next.data = g.next;
        if (g.next == nullptr) next.floats = 0;
      }
      KPart read = part;
      if (g.integers != nullptr && !ReadsIntegers(g, panel)) WidenPanel(g, &read, &panel);
      PanelRun(g, panel, read, block == 0, last_block, next).Run(0, g.row_count);
      panel = next_panel;
    }
    part = next_part;
  }
}

}  // namespace

extern const GemmTable kGemmTable = {
    kW, kPanelVectors, kTileRows[kPanelVectors], kLastPanelVectors, RunBlock, NeedsPartial};

}  // namespace paddle::lite::math::LITE_ISA
