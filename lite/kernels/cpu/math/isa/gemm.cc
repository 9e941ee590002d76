#include <new>

#include "lite/kernels/cpu/math/caches.h"
#include "lite/kernels/cpu/math/isa/in_registers.h"
#include "lite/kernels/cpu/math/isa/steps.h"
#include "lite/kernels/cpu/math/isa_tables.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

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
#endif

LITE_INLINE V WidenInts(const int8_t* p) {
#if defined(__AVX512F__)
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  return __builtin_convertvector((VI)_mm512_maskz_cvtepi8_epi32(0xffff, bytes), V);
#elif defined(__AVX2__)
  const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
  return __builtin_convertvector((VI)_mm256_cvtepi8_epi32(bytes), V);
#else
  return V{float(p[0]), float(p[1]), float(p[2]), float(p[3])};
#endif
}

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
  int LastLanes() const { return static_cast<int>(columns - (vectors - 1) * kW); }

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

// Where B is in integers: what of it a K block covers of a panel.
const int8_t* IntegersOf(const GemmBlock& g, const Panel& panel, const KPart& part) {
  return g.integers + panel.first_column * g.segments * g.length + part.first * panel.vectors * kW;
}

// So few rows read B in integers as it is; for more it becomes floats first.
bool ReadsIntegers(const GemmBlock& g, const Panel& panel) {
  return g.integers != nullptr && g.row_count <= kIntegerTileRows[panel.vectors];
}

// The microkernels of a panel, by rows.
void (*const* TilesOf(const GemmBlock& g, const Panel& panel))(const GemmTile&) {
  if (ReadsIntegers(g, panel)) return kIntegerTiles[panel.vectors];
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
      : g_(g), panel_(panel), tiles_(TilesOf(g, panel)), first_(first), last_(last), next_(next) {
    const Epilogue& epilogue = *g.epilogue;
    act_in_registers_ = InRegisters(epilogue.act, &act_);
    if (act_.finish == kClamp && act_.p1 == __builtin_inff())
      act_.finish = act_.p0 == -__builtin_inff() ? kRaw : kAtLeast;
    steps_ = !act_in_registers_ || (epilogue.step_count > 0 && !StepsInRegisters(epilogue));
    FindBias(epilogue.bias);
    t_.segments = part.segments;
    t_.length = part.length;
    t_.b = part.Of(panel_).data;
    if (ReadsIntegers(g, panel)) {
      t_.integers = IntegersOf(g, panel, part);
      t_.scales = g.scales + panel.first_column;
    }
    // At most 512 short segments make a block; parts of a segment come one by one.
    t_.offsets = g_.offsets + part.segment;
    if (part.start != 0) {
      shifted_ = *t_.offsets + part.start;
      t_.offsets = &shifted_;
    }
    t_.bias = bias_;
    t_.lanes = panel_.LastLanes();
    t_.p0 = act_.p0;
    t_.p1 = act_.p1;
    t_.p2 = act_.p2;
    t_.p3 = p3_;
    t_.p4 = p4_;
    t_.finish = last ? act_.finish : kRaw;
    asked_ = part.length / kTileUnroll * part.segments * kStep;
  }
  PanelRun(const PanelRun&) = delete;

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

 private:
  static constexpr int64_t kStep = kTileLines * kLineFloats;

  void FindBias(const float* bias) {
    bias_ = padded_bias_;
    if (bias != nullptr && panel_.columns == panel_.vectors * kW) {
      bias_ = bias + panel_.first_column;
    } else {
      for (int64_t j = 0; j < panel_.vectors * kW; ++j) {
        const bool used = bias != nullptr && j < panel_.columns;
        padded_bias_[j] = used ? bias[panel_.first_column + j] : 0;
      }
    }
  }

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
    if (act_.finish == kHardSwish) return false;
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

  void RunTile(int64_t row, int count) {
    float* const c = g_.c + row * g_.ldc + panel_.first_column;
    float* sums = c;
    int64_t ld_sums = g_.ldc;
    if (g_.partial != nullptr) {
      ld_sums = g_.columns;
      sums = g_.partial + row * ld_sums + panel_.first_column;
    }
    t_.rows = g_.rows + row;
    t_.in = first_ ? nullptr : sums;
    t_.ldin = ld_sums;
    if (last_ && steps_) {
      alignas(64) float buffer[kMaxTileFloats];
      t_.out = buffer;
      t_.ldout = panel_.vectors * kW;
      tiles_[count](t_);
      RunSteps(c, buffer, row, count);
      return;
    }
    if (residual_ != nullptr) {
      t_.residual = residual_ + row * residual_stride_;
      t_.ldresidual = residual_stride_;
    }
    t_.out = last_ ? c : sums;
    t_.ldout = last_ ? g_.ldc : ld_sums;
    tiles_[count](t_);
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
  const Panel panel_;
  void (*const* const tiles_)(const GemmTile&);
  const bool first_, last_;
  const Slice next_;
  GemmTile t_;
  int64_t shifted_ = 0, asked_ = 0;
  ActParameters act_;
  float p3_ = 0, p4_ = 0;
  const float* residual_ = nullptr;
  int64_t residual_stride_ = 0;
  bool act_in_registers_, steps_;
  const float* bias_;
  alignas(64) float padded_bias_[kLastPanelVectors * kW];
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

static_assert(kBlockLength * kLastPanelVectors * kW <= kWidenedFloats, "room for a K block");

template <int vectors>
void WidenRows(const int8_t* from, int64_t rows, const float* scales, float* to) {
  V scale[vectors];
  for (int v = 0; v < vectors; ++v) scale[v] = Load(scales + v * kW);
  for (int64_t i = 0; i < rows; ++i, from += vectors * kW, to += vectors * kW)
    for (int v = 0; v < vectors; ++v) Store(to + v * kW, WidenInts(from + v * kW) * scale[v]);
}

// The same as floats, in the block's room.
void WidenPanel(const GemmBlock& g, KPart* part, Panel* panel) {
  constexpr decltype(&WidenRows<1>) kWiden[] = {nullptr, WidenRows<1>, WidenRows<2>, WidenRows<3>};
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
