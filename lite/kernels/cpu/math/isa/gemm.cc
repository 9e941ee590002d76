#include "lite/kernels/cpu/math/isa/in_registers.h"
#include "lite/kernels/cpu/math/isa/steps.h"
#include "lite/kernels/cpu/math/isa_tables.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

struct GemmTile {
  const float* const* rows;
  const int64_t* offsets;
  int64_t segments, length;
  const float* b;
  const float* in;  // sums of the earlier K blocks, or null
  int64_t ldin;
  float* out;
  int64_t ldout;
  int lanes;          // of the last vector of `in` and `out`
  const float* bias;  // whole vectors; not read when finish is kRaw
  Finish finish;
  float p0, p1, p2;
};

#include "gemm_tiles.inc"

// A microkernel reads at most about this much of a row at once: K blocks keep the rows in L1 and
// the panel's slice in L2.
constexpr int64_t kBlockLength = 512;
constexpr int kPanelVectors = 2;
constexpr int kLastPanelVectors = 3;
constexpr int kMaxTileFloats = 12 * 2 * kW;

// K blocks: runs of whole segments, or one part of a segment.
struct KBlocks {
  KBlocks(int64_t segments, int64_t length) : segments(segments), length(length) {
    if (length > kBlockLength) {
      const int64_t parts = (length + kBlockLength - 1) / kBlockLength;
      part = (length + parts - 1) / parts;
      group = 1;
      per_segment = parts;
      count = segments > 0 ? segments * parts : 1;
    } else {
      const int64_t most = length > 0 ? kBlockLength / length : segments;
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

struct Panel {
  int64_t first_column;
  int64_t columns;  // in use
  int vectors;
  const float* b;
};

Panel PanelAt(const GemmBlock& g, int64_t index) {
  const int64_t total = (g.columns + kW - 1) / kW;
  const int64_t panels = total < kPanelVectors ? 1 : total / kPanelVectors;
  Panel panel;
  panel.vectors =
      static_cast<int>(index == panels - 1 ? total - kPanelVectors * (panels - 1) : kPanelVectors);
  panel.first_column = index * kPanelVectors * kW;
  panel.columns = g.columns - panel.first_column;
  if (panel.columns > panel.vectors * kW) panel.columns = panel.vectors * kW;
  panel.b = g.b + panel.first_column * g.segments * g.length;
  return panel;
}

// One K block of one panel for all rows of the block.
class PanelRun {
 public:
  PanelRun(const GemmBlock& g, const Panel& panel, const KBlocks& k) : g_(g), panel_(panel), k_(k) {
    const Epilogue& epilogue = *g.epilogue;
    act_in_registers_ = InRegisters(epilogue.act, &act_);
    if (epilogue.bias == nullptr && epilogue.act.kind == Act::kNone) act_.finish = kRaw;
    const bool whole = panel.columns == panel.vectors * kW;
    steps_ = epilogue.step_count > 0 || !act_in_registers_;
    bias_ = padded_bias_;
    if (epilogue.bias != nullptr && whole) {
      bias_ = epilogue.bias + panel.first_column;
    } else {
      for (int64_t j = 0; j < panel.vectors * kW; ++j) {
        const bool used = epilogue.bias != nullptr && j < panel.columns;
        padded_bias_[j] = used ? epilogue.bias[panel.first_column + j] : 0;
      }
    }
  }

  void Run(int64_t block) {
    GemmTile t;
    const int64_t segment = block / k_.per_segment * k_.group;
    const int64_t start = block % k_.per_segment * k_.part;
    t.segments = k_.segments - segment < k_.group ? k_.segments - segment : k_.group;
    t.length = k_.length - start < k_.part ? k_.length - start : k_.part;
    t.b = panel_.b + (segment * k_.length + start) * panel_.vectors * kW;
    // At most 512 short segments make a block; parts of a segment come one by one.
    int64_t shifted;
    t.offsets = g_.offsets + segment;
    if (start != 0) {
      shifted = *t.offsets + start;
      t.offsets = &shifted;
    }
    t.bias = bias_;
    t.lanes = static_cast<int>(panel_.columns - (panel_.vectors - 1) * kW);
    t.p0 = act_.p0;
    t.p1 = act_.p1;
    t.p2 = act_.p2;
    const bool first = block == 0, last = block == k_.count - 1;
    t.finish = last ? act_.finish : kRaw;
    const int most = kTileRows[panel_.vectors];
    const int64_t tiles = (g_.row_count + most - 1) / most;
    const int64_t base = g_.row_count / tiles, extra = g_.row_count % tiles;
    int64_t row = 0;
    for (int64_t i = 0; i < tiles; ++i) {
      const int64_t count = base + (i < extra ? 1 : 0);
      RunTile(&t, row, static_cast<int>(count), first, last);
      row += count;
    }
  }

 private:
  void RunTile(GemmTile* t, int64_t row, int count, bool first, bool last) {
    float* const c = g_.c + row * g_.ldc + panel_.first_column;
    float* sums = c;
    int64_t ld_sums = g_.ldc;
    if (g_.partial != nullptr) {
      ld_sums = g_.columns;
      sums = g_.partial + row * ld_sums + panel_.first_column;
    }
    t->rows = g_.rows + row;
    t->in = first ? nullptr : sums;
    t->ldin = ld_sums;
    if (last && steps_) {
      alignas(64) float buffer[kMaxTileFloats];
      t->out = buffer;
      t->ldout = panel_.vectors * kW;
      kTiles[panel_.vectors][count](*t);
      RunSteps(c, buffer, row, count);
      return;
    }
    t->out = last ? c : sums;
    t->ldout = last ? g_.ldc : ld_sums;
    kTiles[panel_.vectors][count](*t);
  }

  void RunSteps(float* c, float* buffer, int64_t row, int count) {
    const Epilogue& e = *g_.epilogue;
    const int64_t width = panel_.vectors * kW;
    if (!act_in_registers_) {
      EpilogueStep act;
      act.act = e.act;
      float* y = e.step_count > 0 ? buffer : c;
      LITE_ISA::RunSteps(count, panel_.columns, buffer, width, y, e.step_count > 0 ? width : g_.ldc,
                         &act, 1, 0, 0, 0);
      if (e.step_count == 0) return;
    }
    LITE_ISA::RunSteps(count, panel_.columns, buffer, width, c, g_.ldc, e.steps, e.step_count,
                       e.rows_per_image, g_.first_row + row, g_.first_column + panel_.first_column);
  }

  const GemmBlock& g_;
  const Panel& panel_;
  const KBlocks& k_;
  ActParameters act_;
  bool act_in_registers_, steps_;
  const float* bias_;
  alignas(64) float padded_bias_[kLastPanelVectors * kW];
};

void RunBlock(const GemmBlock& g) {
  const KBlocks k(g.segments, g.length);
  for (int64_t block = 0; block < k.count; ++block) {
    for (int64_t p = g.first_panel; p < g.last_panel; ++p) {
      const Panel panel = PanelAt(g, p);
      PanelRun(g, panel, k).Run(block);
    }
  }
}

}  // namespace

extern const GemmTable kGemmTable = {
    kW, kPanelVectors, kTileRows[kPanelVectors], kLastPanelVectors, RunBlock, NeedsPartial};

}  // namespace paddle::lite::math::LITE_ISA
