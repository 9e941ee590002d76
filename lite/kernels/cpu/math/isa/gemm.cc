#include <cstring>
#include <new>

#include "lite/kernels/cpu/math/isa/gemm_tile.h"
#include "lite/kernels/cpu/math/isa/integer_groups.h"
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
typedef void (*GemmFunction)(const GemmTile&);
#include "gemm_tiles.inc"
#endif

// A step may read the memory of C, so C cannot hold partial sums then.
bool NeedsPartial(int64_t segments, int64_t length, const Epilogue& epilogue) {
  return epilogue.step_count > 0 && KBlocks(segments, length).count > 1;
}

// One, or where `across` several that a single row is multiplied by at once.
struct Panel : PanelPlace {
  const float* b;
  int across = 1;

  int64_t width() const { return vectors / across * kW; }
};

// Summands that B is packed for.
int64_t PackedSummands(const GemmBlock& g) {
  return g.packed != 0 ? g.packed : g.segments * g.length;
}

Panel PanelAt(const GemmBlock& g, int64_t index) {
  const PanelPlace place(g.columns, index);
  return {place, g.b + place.first_column * PackedSummands(g) + g.skipped * place.vectors * kW};
}

#if !defined(__aarch64__)
static_assert(kPanelsAcross * kPanelVectors <= kMostVectors, "room for a bias");

// A single row is multiplied by several panels at once.
bool RunsAcross(const GemmBlock& g) {
  return g.row_count == 1 && g.integers == nullptr && g.groups == nullptr &&
         g.last_panel - g.first_panel >= kPanelsAcross;
}

// The panel, or as many as a single row takes from there on.
Panel PanelsAt(const GemmBlock& g, int64_t index) {
  Panel panel = PanelAt(g, index);
  const int64_t end = index + kPanelsAcross, wide = kPanelsAcross * kPanelVectors * kW;
  if (!RunsAcross(g) || end > g.last_panel || panel.first_column + wide > g.columns) return panel;
  if (end == g.last_panel && PanelAt(g, end - 1).vectors > kPanelVectors) return panel;
  panel.across = kPanelsAcross;
  panel.vectors = kPanelsAcross * kPanelVectors;
  panel.columns = wide;
  return panel;
}
#else
bool RunsAcross(const GemmBlock&) { return false; }
Panel PanelsAt(const GemmBlock& g, int64_t index) { return PanelAt(g, index); }
#endif

// What a K block covers of a panel, the first of several.
Slice SliceOf(const Panel& panel, const KPart& part) {
  const int64_t width = panel.width();
  return {panel.b + part.first * width, part.segments * part.length * width};
}

// Where B is in integers: what of it a K block covers of a panel.
const int8_t* IntegersOf(const GemmBlock& g, const Panel& panel, const KPart& part) {
  const int64_t width = panel.vectors * kW;
  if (g.groups != nullptr)
    return g.integers +
           4 * (panel.first_column * g.groups->words + part.first * g.groups->bits / 32 * width);
  return g.integers + panel.first_column * PackedSummands(g) + (g.skipped + part.first) * width;
}

// So few rows read B in integers as it is; for more it becomes floats first.
bool ReadsIntegers([[maybe_unused]] const GemmBlock& g, [[maybe_unused]] const Panel& panel) {
#if defined(__aarch64__)
  return false;
#else
  return g.integers != nullptr && g.groups == nullptr &&
         g.row_count <= kIntegerTileRows[panel.vectors];
#endif
}

// The microkernels of a panel, by rows.
const GemmFunction* TilesOf([[maybe_unused]] const GemmBlock& g, const Panel& panel) {
#if !defined(__aarch64__)
  static constexpr GemmFunction kAcrossTiles[] = {nullptr, AcrossTile1x8};
  if (panel.across > 1) return kAcrossTiles;
  if (ReadsIntegers(g, panel)) return kIntegerTiles[panel.vectors];
#endif
#if defined(__AVX512F__)
  if (panel.LastLanes() <= kW / 2) return kHalfTiles[panel.vectors];
#endif
  return kTiles[panel.vectors];
}

// Tiles of so few products are done before the last one's results have found their way to memory:
// they ask for the lines first. Longer ones lose by it.
constexpr int64_t kShort = 64;

// One K block of one panel.
class PanelRun {
 public:
  PanelRun(const GemmBlock& g, const Panel& panel, const KPart& part, bool first, bool last)
      : g_(g),
        panel_(panel),
        tiles_(TilesOf(g, panel)),
        first_(first),
        last_(last),
        place_{g.c, g.ldc, g.row_count, g.first_row, g.first_column},
        finish_(*g.epilogue, place_, panel_) {
    finish_.Set(&t_);
    if (t_.finish == kClamp && t_.p1 == __builtin_inff())
      t_.finish = t_.p0 == -__builtin_inff() ? kRaw : kAtLeast;
    if (!last) t_.finish = kRaw;
    t_.segments = part.segments;
    t_.length = part.length;
    t_.b = SliceOf(panel_, part).data;
#if !defined(__aarch64__)
    t_.part = g.part;
    t_.b_step = t_.bias_step = 0;
    t_.b_across = PackedSummands(g) * panel.width();
    if (ReadsIntegers(g, panel)) {
      t_.integers = IntegersOf(g, panel, part);
      t_.scales = g.scales + panel.first_column;
    }
    t_.asks = first && last && part.segments * part.length < kShort;
    steps_ = part.length / kTileUnroll * part.segments;
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
  void Run(int64_t row, int64_t rows, const Slice& = {}, const Slice& = {}) {
    const int most = kTileRows[panel_.vectors];
    const int64_t tiles = (rows + most - 1) / most;
    const int64_t base = rows / tiles, extra = rows % tiles;
    RunTiles(row, static_cast<int>(base + 1), extra);
    RunTiles(row + extra * (base + 1), static_cast<int>(base), tiles - extra);
  }
#else
  // Rows of the block, in tiles of two heights. They ask for `next` and `also`, a part each.
  void Run(int64_t row, int64_t rows, const Slice& next, const Slice& also = {}) {
    const int most = panel_.across > 1 ? 1 : kTileRows[panel_.vectors];
    const int64_t tiles = (rows + most - 1) / most;
    const int64_t base = rows / tiles, extra = rows % tiles;
    if (extra > 0) RunTiles(row, static_cast<int>(base + 1), extra, next, also);
    RunTiles(row + extra * (base + 1), static_cast<int>(base), tiles - extra,
             next.After(extra * steps_), also.After(extra * steps_));
  }

  // So many rows of this panel and of those that follow it and are as wide: the only K block.
  void RunAcross(int64_t row, int count, int64_t panels, const Slice& next, const Slice& also) {
    const int64_t width = panel_.vectors * kW;
    t_.b_step = PackedSummands(g_) * width;
    t_.bias_step = g_.epilogue->bias != nullptr ? width : 0;
    t_.rows_step = 0;
    t_.in = nullptr;
    t_.out_step = t_.residual_step = width;
    Start(row, panels, next, also);
    finish_.Run(tiles_[count], row, count, &t_);
  }

  bool direct() const { return finish_.direct(); }
  bool IsWhole() const { return panel_.columns == kPanelVectors * kW; }
#endif

#if !defined(__aarch64__)
  // So few rows that integers in groups become floats in registers: sums, then what ends them.
  void RunGroups() {
    SumGroups(g_, panel_, t_.bias, g_.room);
    t_.segments = 0;
    t_.in = g_.room;
    t_.ldin = panel_.vectors * kW;
    const int rows = static_cast<int>(g_.row_count);
    t_.in_step = 0;
    t_.tiles = finish_.Follow(rows, 1, &t_);
    finish_.Run(tiles_[rows], 0, rows, &t_);
  }
#endif

  // Unrolled steps of a tile.
  int64_t steps() const { return steps_; }

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
  void Ask(const Slice& slice, const float** from, const float** end, int64_t* step) const {
    *from = *end = t_.b;
    *step = slice.step;
    if (slice.floats <= 0) return;
    *from = slice.data;
    *end = slice.data + slice.floats;
  }

  void Start(int64_t row, int64_t tiles, const Slice& next, const Slice& also) {
    t_.tiles = tiles;
    t_.rows = g_.rows + row;
    Ask(next, &t_.next, &t_.next_end, &t_.next_step);
    Ask(also, &t_.also, &t_.also_end, &t_.also_step);
  }

  // Tiles of as many rows.
  void RunTiles(int64_t row, int count, int64_t tiles, const Slice& next, const Slice& also) {
    for (int64_t i = 0; i < tiles; i += t_.tiles, row += t_.tiles * count) {
      const Sums sums = SumsAt(row);
      t_.in = first_ ? nullptr : sums.data;
      t_.ldin = sums.stride;
      t_.in_step = count * sums.stride;
      const int64_t together = finish_.Follow(count, tiles - i, &t_);
      Start(row, last_ ? together : tiles, next.After(i * steps_), also.After(i * steps_));
      if (last_) {
        finish_.Run(tiles_[count], row, static_cast<int>(together * count), &t_);
        continue;
      }
      t_.out = sums.data;
      t_.ldout = sums.stride;
      t_.out_step = t_.in_step;
      tiles_[count](t_);
    }
  }
#endif

  const GemmBlock& g_;
  const Panel panel_;
  const GemmFunction* const tiles_;
  const bool first_, last_;
  const BlockPlace place_;
  const PanelFinish finish_;
  GemmTile t_;
  int64_t shifted_ = 0, steps_ = 0;
};

// All panels of some rows before the next rows: small panels stay in L1, and rows of A and C pass
// through it once, whole. Where those come from past L2, they are asked for evenly, a tile ahead,
// which hides more than keeping the panels in L1 does.
constexpr int kRowsFirstPanels = 512 / (kPanelVectors * kW);

bool RowsFirst(const GemmBlock& g, const KBlocks& k) {
  const int64_t panels = g.last_panel - g.first_panel, length = g.segments * g.length;
  if (k.count != 1 || panels > kRowsFirstPanels) return false;
  const int64_t bytes = length * g.columns * 4;
#if !defined(__aarch64__)
  if (g.streams && length >= kShort && bytes <= L2CacheBytes() / 4) return true;
#endif
  return panels > 1 && bytes <= L1CacheBytes() / 2;
}

// Tiles of rows that a panel runs at once, so that the rows stay in L1 beside all panels. On x86 a
// tile runs across the panels instead.
int64_t TilesTogether([[maybe_unused]] int64_t tile_rows, [[maybe_unused]] int64_t length) {
#if defined(__aarch64__)
  const int64_t fit = L1CacheBytes() / 4 / (tile_rows * 4 * (length > 0 ? length : 1));
  return fit > 1 ? fit : 1;
#else
  return 1;
#endif
}

// So many floats, spread over so many steps.
Slice Spread(const float* data, int64_t floats, int64_t steps) {
  return {data, floats, floats > steps * kLineFloats ? 2 * kLineFloats : kLineFloats};
}

void RunRowsFirst(const GemmBlock& g, const KPart& part) {
  alignas(PanelRun) char memory[kRowsFirstPanels][sizeof(PanelRun)];
  const int panels = static_cast<int>(g.last_panel - g.first_panel);
  PanelRun* runs[kRowsFirstPanels];
  for (int i = 0; i < panels; ++i)
    runs[i] = new (memory[i]) PanelRun(g, PanelAt(g, g.first_panel + i), part, true, true);
  const int most = kTileRows[panels > 1 ? kPanelVectors : PanelAt(g, g.first_panel).vectors];
  const int64_t tiles = (g.row_count + most - 1) / most;
  const int64_t base = g.row_count / tiles, extra = g.row_count % tiles;
  const int64_t steps = runs[0]->steps();
  const bool rows_follow = g.segments == 1 && g.row_count > 1 && g.rows[1] - g.rows[0] == g.length;
  const bool results_follow = g.ldc == g.columns;
  const int64_t together = TilesTogether(most, g.segments * g.length);
#if !defined(__aarch64__)
  // Panels of the first one's width, which have as many lanes.
  int alike = 0;
  while (runs[0]->direct() && alike < panels && runs[alike]->IsWhole()) ++alike;
#endif
  for (int64_t i = 0, row = 0; i < tiles;) {
    i = tiles - i < together ? tiles : i + together;
    const int64_t next = i * base + (i < extra ? i : extra), count = next - row;
    Slice rows, results;
    if (next < g.row_count && rows_follow)
      rows = Spread(g.rows[next], count * g.length, steps * panels);
    if (next < g.row_count && results_follow)
      results = Spread(g.c + next * g.ldc, count * g.ldc, steps * panels);
    // A step of each of so many panels at once.
    int p = 0;
#if !defined(__aarch64__)
    if (alike > 0) runs[0]->RunAcross(row, static_cast<int>(count), alike, rows, results);
    p = alike;
#endif
    for (; p < panels; ++p)
      runs[p]->Run(row, count, rows.After(p * steps), results.After(p * steps));
    row = next;
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
  constexpr decltype(&WidenGroups<1>) kGroups[] = {nullptr, WidenGroups<1>, WidenGroups<2>,
                                                   WidenGroups<3>, WidenGroups<4>};
  if (g.groups != nullptr)
    kGroups[panel->vectors](g, *panel, *part, g.room);
  else
    kWiden[panel->vectors](IntegersOf(g, *panel, *part), part->segments * part->length,
                           g.scales + panel->first_column, g.room);
  panel->b = g.room;
  part->first = 0;
}

Slice NextSlice(const GemmBlock& g, const Panel& panel, const KPart& part) {
  if (g.integers == nullptr) return SliceOf(panel, part);
  const int64_t bits = g.groups == nullptr ? 8 : g.groups->bits;
  const int64_t bytes = part.segments * part.length * bits / 8 * panel.vectors * kW;
  return {reinterpret_cast<const float*>(IntegersOf(g, panel, part)), bytes / 4};
}

// The lines that a panel writes, where they are not in L2: a row in each step.
Slice ResultsOf(const GemmBlock& g, const Panel& panel) {
  if (!g.streams) return {};
  return {g.c + panel.first_column, g.row_count * g.ldc, g.ldc};
}

// A block that reads copies of what K blocks read of the rows.
class CopiedRows {
 public:
  explicit CopiedRows(const GemmBlock& g) : block_(g), from_(g.rows), offset_(g.offsets[0]) {
    for (int64_t i = 0; i < g.row_count; ++i) rows_[i] = g.copied + i * kCopiedRow;
    block_.rows = rows_;
    block_.offsets = &zero_;
  }
  CopiedRows(const CopiedRows&) = delete;

  const GemmBlock& block() const { return block_; }

  // What the K block reads from now on.
  KPart Copy(KPart part) {
    for (int64_t i = 0; i < block_.row_count && part.length > 0; ++i)
      std::memcpy(block_.copied + i * kCopiedRow, from_[i] + offset_ + part.start,
                  static_cast<size_t>(part.length) * sizeof(float));
    part.start = 0;
    return part;
  }

 private:
  GemmBlock block_;
  const float* const* from_;
  int64_t offset_, zero_ = 0;
  const float* rows_[kMaxBlockRows];
};

#if !defined(__aarch64__)
void RunGroupPanels(const GemmBlock& g) {
  const KPart all(KBlocks(0, g.length), 0);
  for (int64_t p = g.first_panel; p < g.last_panel; ++p)
    PanelRun(g, PanelAt(g, p), all, true, true).RunGroups();
}
#endif

void RunPanels(const GemmBlock& g, const KBlocks& k, CopiedRows* copied) {
  KPart part(k, 0);
  const Panel first = PanelsAt(g, g.first_panel);
  for (int64_t block = 0; block < k.count; ++block) {
    const bool last_block = block + 1 == k.count;
    const KPart next_part(k, last_block ? 0 : block + 1);
    Panel panel = first;
    const KPart rows = copied != nullptr ? copied->Copy(part) : part;
    for (int64_t p = g.first_panel; p < g.last_panel;) {
      p += panel.across;
      const bool last = p == g.last_panel;
      const Panel next_panel = last ? first : PanelsAt(g, p);
      Slice next = NextSlice(g, next_panel, last ? next_part : part);
      if (last && last_block) {
        next.data = g.next;
        if (g.next == nullptr) next.floats = 0;
      }
      KPart read = rows;
      if (g.integers != nullptr && !ReadsIntegers(g, panel)) WidenPanel(g, &read, &panel);
      PanelRun(g, panel, read, block == 0, last_block)
          .Run(0, g.row_count, next, last || k.count > 1 ? Slice() : ResultsOf(g, next_panel));
      panel = next_panel;
    }
    part = next_part;
  }
}

void RunBlock(const GemmBlock& g) {
#if !defined(__aarch64__)
  if (g.groups != nullptr && g.groups->few_rows) return RunGroupPanels(g);
#endif
  const KBlocks k(g.segments, g.length);
  if (g.copied != nullptr) {
    CopiedRows copied(g);
    return RunPanels(copied.block(), k, &copied);
  }
  if (g.integers == nullptr && !RunsAcross(g) && RowsFirst(g, k))
    return RunRowsFirst(g, KPart(k, 0));
  RunPanels(g, k, nullptr);
}

}  // namespace

extern const GemmTable kGemmTable = {
    kW,           kPanelVectors, kTileRows[kPanelVectors], kLastPanelVectors, RunBlock,
    NeedsPartial, kGroupRows};

}  // namespace paddle::lite::math::LITE_ISA
