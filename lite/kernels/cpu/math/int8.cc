#include "lite/kernels/cpu/math/int8.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/tiles.h"

namespace paddle::lite::math {
namespace {

constexpr int64_t kWordBytes = 4;

int64_t ElementBytes() { return HasByteDot() ? 1 : 2; }

// What is multiplied for 0: dot products want left-hand bytes without a sign, but for NEON's.
int StoredZero(const Int8Rounding& how) {
  if (!HasByteDot()) return 0;
#if defined(__aarch64__)
  return how.zero - 128;
#else
  return how.zero;
#endif
}

Int8Rounding LeftRounding(Int8Rounding how) {
  how.zero = StoredZero(how);
  return how;
}

int64_t PaddedColumns(int64_t n) {
  const int64_t width = LITE_ISA_PICK(kGemmTable).vector_width;
  return (n + width - 1) / width * width;
}

AlignedFloats Zeros(int64_t count) {
  AlignedFloats made(count);
  std::fill(made.data(), made.data() + count, 0.0f);
  return made;
}

// Where a block's bytes go: the weight of one summand at a time.
class Packer {
 public:
  explicit Packer(PackedInt8* packed) : p_(*packed) {
    p_.block_columns = PaddedColumns(p_.block_oc);
    const int64_t per_word = kWordBytes / ElementBytes();
    p_.words = (p_.length + per_word - 1) / per_word;
    p_.block_bytes = p_.segments * p_.words * kWordBytes * p_.block_columns;
    const int64_t matrices = p_.winograd ? kPatchMatrices : p_.blocks;
    p_.data = AlignedFloats::Lasting((p_.block_bytes * matrices + 3) / 4);
    p_.sums = AlignedFloats::Lasting(p_.block_columns * p_.blocks);
    packed_ = p_.data.packed() && p_.sums.packed();
    if (packed_) return;
    std::fill_n(p_.data.data(), p_.data.size(), 0.0f);
    std::fill_n(p_.sums.data(), p_.sums.size(), 0.0f);
    for (int64_t j = 0; j < p_.block_oc; ++j) {
      const int64_t panels = PanelCount(p_.block_oc);
      const int64_t width =
          LITE_ISA_PICK(kGemmTable).panel_vectors * LITE_ISA_PICK(kGemmTable).vector_width;
      const int64_t panel = std::min(j / width, panels - 1);
      const int64_t first = PanelColumn(panel, p_.block_oc);
      const int64_t next = PanelColumn(panel + 1, p_.block_oc);
      columns_.push_back({first, (next == p_.block_oc ? p_.block_columns : next) - first});
    }
  }

  // There is nothing to put.
  bool packed() const { return packed_; }

  // Summands of a column from the k-th on, counted as if all taps were contiguous; their weights
  // stand `step` apart.
  void Put(int64_t block, int64_t k, int64_t column, int64_t count, const int8_t* weights,
           int64_t step) {
    int32_t sum = 0;
    while (count > 0) {
      const int64_t at = k % p_.length, run = std::min(count, p_.length - at);
      char* const words = Words(k / p_.length, column) + block * p_.block_bytes;
      for (int64_t i = at; i < at + run; ++i, weights += step) {
        char* const to = words + InWords(i, column);
        if (dot_)
          *to = static_cast<char>(*weights), sum += *weights;
        else
          PutWide(to, *weights);
      }
      k += run, count -= run;
    }
    if (dot_) reinterpret_cast<int32_t*>(p_.sums.data())[block * p_.block_columns + column] += sum;
  }

  // What the matrices of patches have of a channel.
  void PutPatches(int64_t channel, int64_t column, const int8_t* taps) {
    int matrices[kPatchMatrices];
    TransformTaps(taps, matrices);
    char* to = Words(0, column) + InWords(channel, column);
    for (const int weight : matrices) {
      PutWide(to, weight);
      to += p_.block_bytes;
    }
  }

 private:
  static void PutWide(char* to, int weight) {
    const auto wide = static_cast<int16_t>(weight);
    std::memcpy(to, &wide, 2);
  }

  // Of a column's panel in the first block or matrix, those of a segment.
  char* Words(int64_t segment, int64_t column) const {
    const Column& c = columns_[static_cast<size_t>(column)];
    return reinterpret_cast<char*>(p_.data.data()) +
           (c.first * p_.segments + segment * c.width) * p_.words * kWordBytes;
  }

  // Where a segment's words have a summand of a column.
  int64_t InWords(int64_t summand, int64_t column) const {
    const Column& c = columns_[static_cast<size_t>(column)];
    const int64_t word = dot_ ? summand / 4 : summand / 2,
                  in_word = dot_ ? summand % 4 : summand % 2;
    return word * c.width * kWordBytes + InRow(column - c.first, in_word);
  }

  // Where a summand of a word stands in a panel's row of words.
  int64_t InRow(int64_t column, int64_t summand) const {
#if defined(__aarch64__)
    constexpr int64_t kVector = 4;
    // Without dot products a vector's columns are multiplied with one summand at a time.
    if (!dot_)
      return column / kVector * kVector * kWordBytes + (summand * kVector + column % kVector) * 2;
#endif
    return column * kWordBytes + summand * (dot_ ? 1 : 2);
  }

  struct Column {
    int64_t first, width;  // of its panel
  };

  PackedInt8& p_;
  const bool dot_ = HasByteDot();
  bool packed_ = false;
  std::vector<Column> columns_;
};

}  // namespace

void RoundReals(const float* x, int64_t count, const Int8Rounding& how, float scale, float bound,
                float* out) {
  LITE_ISA_PICK(kInt8Table).round_reals(x, count, how, scale, bound, out);
}

void RoundToBytes(const float* x, int64_t count, const Int8Rounding& how, uint8_t* out) {
  LITE_ISA_PICK(kInt8Table).round_row(x, count, how, true, reinterpret_cast<char*>(out));
}

void RealsOfBytes(const uint8_t* x, int64_t count, float scale, int zero, float* out) {
  LITE_ISA_PICK(kInt8Table).widen_bytes(x, count, scale, zero, out);
}

void MapBytes(const uint8_t* x, int64_t count, const uint8_t* table, uint8_t* y) {
  LITE_ISA_PICK(kInt8Table).map_bytes(x, count, table, y);
}

PackedInt8 PackInt8Conv(const int8_t* weights, const ConvShape& s) {
  const int64_t group_oc = s.oc / s.groups, group_ic = s.ic / s.groups;
  const int64_t together = GroupsOfBlock(s.groups, group_oc);
  PackedInt8 packed;
  packed.oc = s.oc, packed.ic = s.ic, packed.kh = s.kh, packed.kw = s.kw;
  packed.blocks = s.groups / together;
  packed.block_ic = group_ic * together;
  packed.block_oc = group_oc * together;
  packed.winograd = TakesInt8Winograd(s);
  packed.Divide(s.dw > 1);
  Packer packer(&packed);
  if (packer.packed()) return packed;
  const int64_t taps = s.kh * s.kw;
  for (int64_t o = 0; o < s.oc; ++o) {
    const int64_t block = o / packed.block_oc, column = o % packed.block_oc;
    const int64_t first_channel = column / group_oc * group_ic;
    if (packed.winograd)
      for (int64_t i = 0; i < group_ic; ++i) packer.PutPatches(i, o, weights + i * taps);
    else
      for (int64_t t = 0; t < taps; ++t)
        packer.Put(block, t * packed.block_ic + first_channel, column, group_ic, weights + t, taps);
    weights += group_ic * taps;
  }
  return packed;
}

PackedInt8 PackInt8Matrix(int64_t k, int64_t n, const int8_t* b, bool transposed) {
  PackedInt8 packed;
  packed.oc = packed.block_oc = n;
  packed.ic = packed.block_ic = k;
  packed.Divide(false);
  Packer packer(&packed);
  for (int64_t j = 0; j < n && !packer.packed(); ++j)
    packer.Put(0, 0, j, k, b + (transposed ? j * k : j), transposed ? 1 : n);
  return packed;
}

Int8Scaling ScaleInt8(const PackedInt8& weights, const Int8Rounding& rounding, float step,
                      const float* scales) {
  const int64_t columns = weights.block_columns * weights.blocks;
  Int8Scaling scaling = {rounding, Zeros(columns), AlignedFloats(columns)};
  const auto* sums = reinterpret_cast<const int32_t*>(weights.sums.data());
  auto* start = reinterpret_cast<int32_t*>(scaling.start.data());
  const int32_t less = -StoredZero(rounding);
  std::transform(sums, sums + columns, start, [less](int32_t sum) { return less * sum; });
  const float times = weights.winograd ? 0.25f : 1.0f;  // sums of patches are 4 times theirs
  float* to = scaling.scales.data();
  for (int64_t o = 0; o < weights.oc; o += weights.block_oc, to += weights.block_columns) {
    const int64_t count = std::min(weights.block_oc, weights.oc - o);
    std::transform(scales + o, scales + o + count, to,
                   [=](float scale) { return step * scale * times; });
  }
  return scaling;
}

namespace {

// Bytes that are moved by StoredZero where dot products of bytes are at hand, else int16.
class Int8Product final : public RoundedProduct {
 public:
  Int8Product(const PackedInt8& w, const Int8Scaling& scaling, const Epilogue& epilogue, void* c,
              int64_t ldc)
      : RoundedProduct(w, ElementBytes(), StoredZero(scaling.rounding), epilogue, c, ldc),
        w_(w),
        scaling_(scaling),
        rounding_(LeftRounding(scaling.rounding)),
        less_(scaling.rounding.zero - rounding_.zero) {}

  void Round(const float* x, int64_t count, char* out) const override {
    LITE_ISA_PICK(kInt8Table).round_row(x, count, rounding_, HasByteDot(), out);
  }
  bool ReadsBytes() const override { return HasByteDot() && less_ == 0; }
  void Take(const uint8_t* x, int64_t count, char* out) const override {
    if (ReadsBytes())
      std::memcpy(out, x, static_cast<size_t>(count));
    else
      LITE_ISA_PICK(kInt8Table).take_bytes(x, count, less_, HasByteDot(), out);
  }

 private:
  void Run(const RoundedBlock& block, int64_t index) const override {
    Int8Block g{block};
    g.words = w_.words;
    g.quads = HasByteDot();
    g.b = reinterpret_cast<const int8_t*>(w_.data.data()) + index * w_.block_bytes;
    g.start = reinterpret_cast<const int32_t*>(scaling_.start.data()) + index * w_.block_columns;
    g.scales = scaling_.scales.data() + index * w_.block_columns;
    if (g.quads && TilesMultiplyWords()) return RunInTiles(g);
    LITE_ISA_PICK(kInt8Table).run_block(g);
  }
  void RunPatches(const PatchStrip& strip, const RoundedBlock& block) const override {
    PatchBlock g;
    static_cast<RoundedBlock&>(g) = block;
    g.words = w_.words;
    g.b = reinterpret_cast<const int8_t*>(w_.data.data());
    g.scales = scaling_.scales.data();
    g.matrix_bytes = w_.block_bytes;
    RunPatchStrip(strip, g);
  }

  const PackedInt8& w_;
  const Int8Scaling& scaling_;
  const Int8Rounding rounding_;  // to what is multiplied
  const int less_;               // than bytes that are kept
};

}  // namespace

void ConvInt8(int threads, const ConvShape& s, const RoundedInput& x, const PackedInt8& weights,
              const Int8Scaling& scaling, const Epilogue& epilogue, void* y) {
  RunRoundedConv(threads, s, x, Int8Product(weights, scaling, epilogue, y, s.YPixel()));
}

void GemmInt8(int threads, int64_t m, const RoundedInput& a, int64_t lda, const PackedInt8& b,
              const Int8Scaling& scaling, void* c, int64_t ldc, const Epilogue& epilogue) {
  RunRoundedGemm(threads, m, a, lda, Int8Product(b, scaling, epilogue, c, ldc));
}

}  // namespace paddle::lite::math
