#include "lite/kernels/cpu/math/halves.h"

#include <algorithm>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/halves_table.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/tiles.h"

namespace paddle::lite::math {
namespace {

const HalvesTable& TableOf(WeightPrecision precision) {
  return precision == WeightPrecision::kFp16 ? LITE_ISA_PICK(kFp16Table)
                                             : LITE_ISA_PICK(kBf16Table);
}

int64_t PanelWidth(int64_t first, int64_t last, int64_t n) {
  const int64_t vector = LITE_ISA_PICK(kGemmTable).vector_width;
  return last == n ? (n - first + vector - 1) / vector * vector : last - first;
}

// Words of a column.
int64_t ColumnWords(const RoundedWeights& w) { return w.segments * ((w.length + 1) / 2); }

void Allocate(PackedHalves* packed) {
  packed->block_words = PackedFloats(ColumnWords(*packed), packed->block_oc);
  packed->data = AlignedFloats::Lasting(packed->block_words * packed->blocks);
}

uint32_t* WordsOf(PackedHalves* packed) { return reinterpret_cast<uint32_t*>(packed->data.data()); }

// Packs a block panel by panel: fill(first, last, rows) gives the floats of columns [first, last).
template <typename Fill>
void PackBlock(PackedHalves* packed, int64_t block, int threads, Fill&& fill) {
  const int64_t n = packed->block_oc, k = packed->segments * packed->length;
  const int used = PackThreads(threads, k * n);
  ParallelFor(used, k > 0 && n > 0 ? PanelCount(n) : 0, [&](int64_t index) {
    const int64_t first = PanelColumn(index, n), last = PanelColumn(index + 1, n);
    HalvesPanel panel;
    panel.segments = packed->segments;
    panel.length = packed->length;
    panel.width = PanelWidth(first, last, n);
    panel.native = FasterInHalves(packed->precision);
    AlignedFloats rows(k * panel.width);
    fill(first, last, rows.data());
    panel.rows = rows.data();
    panel.words = WordsOf(packed) + block * packed->block_words + first * ColumnWords(*packed);
    TableOf(packed->precision).pack(panel);
  });
}

// Groups that were put together: the block-diagonal matrices of the direct convolution.
void PackDiagonals(PackedHalves* packed, const float* weights, int64_t groups, int threads) {
  const UseWeightMemory elsewhere(nullptr);
  const PackedConv floats =
      PackConv(weights, packed->oc, packed->ic, packed->kh, packed->kw, groups, threads);
  for (int64_t block = 0; block < packed->blocks; ++block) {
    HalvesPanel panel;
    panel.rows = floats.data.data() + block * floats.block_floats;
    panel.segments = packed->segments;
    panel.length = packed->length;
    panel.width = PanelWidth(0, packed->block_oc, packed->block_oc);
    panel.native = FasterInHalves(packed->precision);
    panel.words = WordsOf(packed) + block * packed->block_words;
    TableOf(packed->precision).pack(panel);
  }
}

class HalvesProduct final : public RoundedProduct {
 public:
  HalvesProduct(const PackedHalves& w, const Epilogue& epilogue, float* c, int64_t ldc)
      : RoundedProduct(w, FasterInHalves(w.precision) ? 2 : 4, 0, epilogue, c, ldc), w_(w) {}

  void Round(const float* x, int64_t count, char* out) const override {
    TableOf(w_.precision).round_row(x, count, FasterInHalves(w_.precision), out);
  }

 private:
  void Run(const RoundedBlock& block, int64_t index) const override {
    HalvesBlock g{block};
    g.length = w_.length;
    g.native = FasterInHalves(w_.precision);
    g.b = reinterpret_cast<const uint32_t*>(w_.data.data()) + index * w_.block_words;
    if (g.native && TilesMultiplyWords()) return RunInTiles(g);
    TableOf(w_.precision).run_block(g);
  }

  const PackedHalves& w_;
};

}  // namespace

bool FasterInHalves(WeightPrecision precision) {
  return precision == WeightPrecision::kFp16   ? HasFp16Arithmetic()
         : precision == WeightPrecision::kBf16 ? HasBf16Dot()
                                               : false;
}

PackedHalves PackHalvesConv(WeightPrecision precision, const float* weights, int64_t oc, int64_t ic,
                            int64_t kh, int64_t kw, int64_t groups, bool dilated, int threads) {
  const int64_t group_oc = oc / groups, group_ic = ic / groups, taps = kh * kw;
  const int64_t together = GroupsOfBlock(groups, group_oc);
  PackedHalves packed;
  packed.precision = precision;
  packed.oc = oc, packed.ic = ic, packed.kh = kh, packed.kw = kw;
  packed.blocks = groups / together;
  packed.block_ic = group_ic * together;
  packed.block_oc = group_oc * together;
  packed.Divide(dilated);
  Allocate(&packed);
  if (packed.data.packed()) return packed;
  if (together > 1) {
    PackDiagonals(&packed, weights, groups, threads);
    return packed;
  }
  for (int64_t block = 0; block < packed.blocks; ++block) {
    const float* from = weights + block * group_oc * group_ic * taps;
    PackBlock(&packed, block, threads, [&](int64_t first, int64_t last, float* rows) {
      PackTaps(group_ic, taps, last - first, from + first * group_ic * taps, group_ic * taps, rows,
               0, 1);
    });
  }
  return packed;
}

PackedHalves PackHalvesMatrix(WeightPrecision precision, int64_t k, int64_t n, const float* b,
                              int64_t ldb, bool transposed, int threads) {
  PackedHalves packed;
  packed.precision = precision;
  packed.oc = packed.block_oc = n;
  packed.ic = packed.block_ic = k;
  packed.Divide(false);
  Allocate(&packed);
  if (packed.data.packed()) return packed;
  PackBlock(&packed, 0, threads, [&](int64_t first, int64_t last, float* rows) {
    PackPanels(k, last - first, b + first * (transposed ? ldb : 1), ldb, transposed, rows, 0, 1,
               true);
  });
  return packed;
}

void ConvHalves(int threads, const ConvShape& s, const float* x, bool nchw,
                const PackedHalves& weights, const Epilogue& epilogue, float* y) {
  RunRoundedConv(threads, s, {x, nchw}, HalvesProduct(weights, epilogue, y, s.YPixel()));
}

void GemmHalves(int threads, int64_t m, const float* a, int64_t lda, const PackedHalves& b,
                float* c, int64_t ldc, const Epilogue& epilogue) {
  RunRoundedGemm(threads, m, {a}, lda, HalvesProduct(b, epilogue, c, ldc));
}

}  // namespace paddle::lite::math
