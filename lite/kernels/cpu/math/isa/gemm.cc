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
  const float* next;  // packed floats to prefetch
  int64_t next_step;  // floats from one step to the next; 0 where there is nothing to prefetch
  const float* in;    // sums of the earlier K blocks, or null
  int64_t ldin;
  float* out;
  int64_t ldout;
  int lanes;          // of the last vector of `in` and `out`
  const float* bias;  // whole vectors; not read when finish is kRaw
  Finish finish;
  float p0, p1, p2, p3, p4;
  const float* residual;  // for kResidual
  int64_t ldresidual;
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

// One K block of one panel for all rows of the block.
class PanelRun {
 public:
  PanelRun(const GemmBlock& g, const Panel& panel) : g_(g), panel_(panel) {
    const Epilogue& epilogue = *g.epilogue;
    act_in_registers_ = InRegisters(epilogue.act, &act_);
    if (epilogue.bias == nullptr && epilogue.act.kind == Act::kNone) act_.finish = kRaw;
    const bool whole = panel.columns == panel.vectors * kW;
    steps_ = !act_in_registers_ || (epilogue.step_count > 0 && !StepsInRegisters(epilogue));
    bias_ = padded_bias_;
    if (epilogue.bias != nullptr && whole) {
      bias_ = epilogue.bias + panel.first_column;
    } else if (act_.finish != kRaw) {
      for (int64_t j = 0; j < panel.vectors * kW; ++j) {
        const bool used = epilogue.bias != nullptr && j < panel.columns;
        padded_bias_[j] = used ? epilogue.bias[panel.first_column + j] : 0;
      }
    }
  }

  // Meanwhile asks for `next`: every row tile for a part of it, until it is all on its way.
  void Run(const KPart& part, bool first, bool last, Slice next) {
    GemmTile t;
    t.segments = part.segments;
    t.length = part.length;
    t.b = part.Of(panel_).data;
    // At most 512 short segments make a block; parts of a segment come one by one.
    int64_t shifted;
    t.offsets = g_.offsets + part.segment;
    if (part.start != 0) {
      shifted = *t.offsets + part.start;
      t.offsets = &shifted;
    }
    t.bias = bias_;
    t.lanes = static_cast<int>(panel_.columns - (panel_.vectors - 1) * kW);
    t.p0 = act_.p0;
    t.p1 = act_.p1;
    t.p2 = act_.p2;
    t.p3 = p3_;
    t.p4 = p4_;
    t.finish = last ? act_.finish : kRaw;
    const int most = kTileRows[panel_.vectors];
    const int64_t tiles = (g_.row_count + most - 1) / most;
    const int64_t base = g_.row_count / tiles, extra = g_.row_count % tiles;
    constexpr int64_t kStep = kTileLines * kLineFloats;
    const int64_t asked = part.length / kTileUnroll * part.segments * kStep;
    int64_t row = 0;
    for (int64_t i = 0; i < tiles; ++i) {
      const int64_t count = base + (i < extra ? 1 : 0);
      t.next_step = i * asked < next.floats ? kStep : 0;
      t.next = t.next_step != 0 ? next.data + i * asked : t.b;
      RunTile(&t, row, static_cast<int>(count), first, last);
      row += count;
    }
  }

 private:
  // An affine function after hard-swish, or a residual that may be clamped.
  bool StepsInRegisters(const Epilogue& e) {
    const EpilogueStep& step = e.steps[0];
    if (e.step_count == 1 && step.op == EpilogueStep::kAct && step.act.kind == Act::kAffine &&
        act_.finish == kHardSwish) {
      act_.finish = kHardSwishAffine;
      p3_ = step.act.a;
      p4_ = step.act.b;
      return true;
    }
    ActParameters clamp;
    if (e.step_count > 2 || step.op != EpilogueStep::kAdd || step.col_stride != 1) return false;
    if (e.step_count == 2 && (e.steps[1].op != EpilogueStep::kAct ||
                              !InRegisters(e.steps[1].act, &clamp) || clamp.finish != kClamp))
      return false;
    if (act_.finish != kRaw && act_.finish != kClamp) return false;
    residual_ = StepRows(step, e.rows_per_image, g_.first_row, g_.row_count);
    if (residual_ == nullptr) return false;
    residual_ += g_.first_column + panel_.first_column;
    residual_stride_ = step.row_stride;
    act_.finish = kResidual;
    act_.p2 = clamp.p0;
    p3_ = clamp.p1;
    return true;
  }

  // The operand at row0, where so many rows from there on are row_stride apart; else null.
  static const float* StepRows(const EpilogueStep& step, int64_t rows_per_image, int64_t row0,
                               int64_t rows) {
    if (rows_per_image <= 0) return step.data + row0 * step.row_stride;
    const int64_t image = row0 / rows_per_image;
    if (step.image_stride != rows_per_image * step.row_stride &&
        (row0 + rows - 1) / rows_per_image != image)
      return nullptr;
    return step.data + image * step.image_stride +
           (row0 - image * rows_per_image) * step.row_stride;
  }

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
    if (residual_ != nullptr) {
      t->residual = residual_ + row * residual_stride_;
      t->ldresidual = residual_stride_;
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
  ActParameters act_;
  float p3_ = 0, p4_ = 0;
  const float* residual_ = nullptr;
  int64_t residual_stride_ = 0;
  bool act_in_registers_, steps_;
  const float* bias_;
  alignas(64) float padded_bias_[kLastPanelVectors * kW];
};

void RunBlock(const GemmBlock& g) {
  const KBlocks k(g.segments, g.length);
  KPart part(k, 0);
  const Panel first = PanelAt(g, g.first_panel);
  for (int64_t block = 0; block < k.count; ++block) {
    const bool last_block = block + 1 == k.count;
    const KPart next_part(k, last_block ? 0 : block + 1);
    Panel panel = first;
    for (int64_t p = g.first_panel; p < g.last_panel; ++p) {
      const bool last = p + 1 == g.last_panel;
      const Panel next_panel = last ? first : PanelAt(g, p + 1);
      Slice next = (last ? next_part : part).Of(next_panel);
      if (last && last_block) {
        next.data = g.next;
        if (g.next == nullptr) next.floats = 0;
      }
      PanelRun(g, panel).Run(part, block == 0, last_block, next);
      panel = next_panel;
    }
    part = next_part;
  }
}

}  // namespace

extern const GemmTable kGemmTable = {
    kW, kPanelVectors, kTileRows[kPanelVectors], kLastPanelVectors, RunBlock, NeedsPartial};

}  // namespace paddle::lite::math::LITE_ISA
