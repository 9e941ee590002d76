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
  float* out;  // whole vectors are written
  int64_t ldout;
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

void CopyRows(int64_t rows, int64_t cols, const float* x, int64_t ldx, float* y, int64_t ldy) {
  const int64_t full = cols / kW * kW;
  const int tail = static_cast<int>(cols - full);
  for (int64_t r = 0; r < rows; ++r, x += ldx, y += ldy) {
    for (int64_t j = 0; j < full; j += kW) Store(y + j, Load(x + j));
    if (tail != 0) StoreN(y + full, LoadN(x + full, tail), tail);
  }
}

// One K block of one panel for all rows of the block.
class PanelRun {
 public:
  PanelRun(const GemmBlock& g, const Panel& panel, const KBlocks& k) : g_(g), panel_(panel), k_(k) {
    const Epilogue& epilogue = *g.epilogue;
    act_in_registers_ = InRegisters(epilogue.act, &act_);
    if (epilogue.bias == nullptr && epilogue.act.kind == Act::kNone) act_.finish = kRaw;
    whole_ = panel.columns == panel.vectors * kW;
    steps_ = epilogue.step_count > 0 || !act_in_registers_;
    bias_ = padded_bias_;
    if (epilogue.bias != nullptr && whole_) {
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
    alignas(64) float buffer[kMaxTileFloats];
    const int64_t width = panel_.vectors * kW;
    float* const c = g_.c + row * g_.ldc + panel_.first_column;
    float* sums = c;
    int64_t ld_sums = g_.ldc;
    bool direct = whole_;  // sums can be read and written as whole vectors
    if (g_.partial != nullptr) {
      ld_sums = (g_.columns + kW - 1) / kW * kW;
      sums = g_.partial + row * ld_sums + panel_.first_column;
      direct = true;
    }
    t->rows = g_.rows + row;
    t->in = nullptr;
    if (!first) {
      t->in = sums;
      t->ldin = ld_sums;
      if (!direct) {
        CopyRows(count, panel_.columns, sums, ld_sums, buffer, width);
        t->in = buffer;
        t->ldin = width;
      }
    }
    const bool to_c = last ? whole_ && !steps_ : direct;
    t->out = to_c ? (last ? c : sums) : buffer;
    t->ldout = to_c ? (last ? g_.ldc : ld_sums) : width;
    kTiles[panel_.vectors][count](*t);
    if (to_c) return;
    if (last && steps_) return RunSteps(c, buffer, row, count);
    CopyRows(count, panel_.columns, buffer, width, c, g_.ldc);
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
  bool act_in_registers_, whole_, steps_;
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
