#include "lite/kernels/cpu/math/int8.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "lite/core/base/errors.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/tiles.h"

namespace paddle::lite::math {
namespace {

constexpr int64_t kWordBytes = 4;

// What is multiplied for 0: products of bytes want left-hand ones without a sign, but for NEON's.
int StoredZero(const PackedInt8& weights, const Int8Rounding& how) {
  if (!weights.quads) return 0;
#if defined(__aarch64__)
  return how.zero - 128;
#else
  return how.zero;
#endif
}

Int8Rounding LeftRounding(const PackedInt8& weights, Int8Rounding how) {
  how.zero = StoredZero(weights, how);
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

// The first column of each panel of a block, and the end of the last.
std::vector<int64_t> PanelColumns(const PackedInt8& packed) {
  std::vector<int64_t> columns;
  for (int64_t panel = 0; panel < PanelCount(packed.block_oc); ++panel)
    columns.push_back(PanelColumn(panel, packed.block_oc));
  columns.push_back(packed.block_columns);
  return columns;
}

// Where a block's bytes go: the weight of one summand at a time, to `data` and `sums` of zeros.
class Packer {
 public:
  Packer(const PackedInt8& packed, float* data, float* sums)
      : p_(packed),
        data_(reinterpret_cast<char*>(data)),
        sums_(reinterpret_cast<int32_t*>(sums)),
        dot_(packed.quads) {
    const std::vector<int64_t> panels = PanelColumns(packed);
    for (size_t p = 0; p + 1 < panels.size(); ++p)
      columns_.insert(columns_.end(), static_cast<size_t>(panels[p + 1] - panels[p]),
                      {panels[p], panels[p + 1] - panels[p]});
  }

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
    if (dot_) sums_[block * p_.block_columns + column] += sum;
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
    return data_ + (c.first * p_.segments + segment * c.width) * p_.words * kWordBytes;
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

  const PackedInt8& p_;
  char* const data_;
  int32_t* const sums_;
  const bool dot_;
  std::vector<Column> columns_;
};

void SizeWords(PackedInt8* p, bool quads) {
  p->quads = quads;
  p->words = (p->length + (quads ? 3 : 1)) / (quads ? 4 : 2);
  p->block_bytes = p->segments * p->words * kWordBytes * p->block_columns;
}

// Words in excess are at most one of so many: more take longer than words of int16 do.
constexpr int64_t kWordsForExcess = 3;

// Whether the places of words in excess are in the matrix: a file may say anything.
bool PlacesFit(const PackedInt8& p, const int32_t* ends, int64_t panels) {
  const auto* const places = reinterpret_cast<const ExcessPlace*>(p.excess_places.data());
  return std::all_of(places, places + ends[panels - 1], [&](const ExcessPlace& at) {
    return at.segment >= 0 && at.segment < p.segments && at.word >= 0 && at.word < p.words;
  });
}

// Packs what put(packer) puts as words of bytes, if few of them are in excess; else false.
template <typename PutAll>
bool PackWithExcess(PackedInt8* p, const PutAll& put) {
  SizeWords(p, true);
  const std::vector<int64_t> columns = PanelColumns(*p);
  const auto panels = static_cast<int64_t>(columns.size()) - 1;
  const int64_t most = p->segments * p->words * panels / kWordsForExcess;
  AlignedFloats found = AlignedFloats::Lasting(panels);
  auto* const ends = reinterpret_cast<int32_t*>(found.data());
  AlignedFloats data, sums;
  Excess excess;
  if (!found.packed()) {
    data = Zeros(p->block_bytes / kWordBytes), sums = Zeros(p->block_columns);
    Packer packer(*p, data.data(), sums.data());
    put(&packer);
    auto* const weights = reinterpret_cast<int8_t*>(data.data());
    excess = TakeExcess(columns, p->segments, p->words, most, weights);
    if (static_cast<int64_t>(excess.ends.size()) == panels)
      std::copy(excess.ends.begin(), excess.ends.end(), ends);
    else
      std::fill_n(ends, panels, -1);
  }
  if (ends[0] < 0) return false;
  const int64_t before_last = panels > 1 ? ends[panels - 2] : 0, all = ends[panels - 1];
  if (!std::is_sorted(ends, ends + panels) || all > most)
    throw ModelFormatError("packed weights have more words in excess than there can be");
  const int64_t last_width = columns.back() - columns[columns.size() - 2];
  p->excess_places = AlignedFloats::Lasting(2 * all);
  p->excess_words =
      AlignedFloats::Lasting(before_last * columns[1] + (all - before_last) * last_width);
  p->data = AlignedFloats::Lasting(p->block_bytes / kWordBytes);
  p->sums = AlignedFloats::Lasting(p->block_columns);
  if (!found.packed()) {
    std::copy(excess.places.begin(), excess.places.end(),
              reinterpret_cast<ExcessPlace*>(p->excess_places.data()));
    std::copy(excess.words.begin(), excess.words.end(),
              reinterpret_cast<int8_t*>(p->excess_words.data()));
    std::copy_n(data.data(), data.size(), p->data.data());
    std::copy_n(sums.data(), sums.size(), p->sums.data());
  }
  const bool whole =
      p->excess_places.packed() && p->excess_words.packed() && p->data.packed() && p->sums.packed();
  if (found.packed() && !whole) throw ModelFormatError("packed weights lack a part");
  if (!PlacesFit(*p, ends, panels))
    throw ModelFormatError("packed weights have words in excess beyond them");
  p->excess_ends = std::move(found);
  return true;
}

// Packs what put(packer) puts.
template <typename PutAll>
void PackWords(PackedInt8* p, const PutAll& put) {
  p->block_columns = PaddedColumns(p->block_oc);
  const bool in_16_bits = LITE_ISA_PICK(kInt8Table).sums_in_16_bits && !HasByteDot();
  const bool one = !p->winograd && p->blocks == 1 && p->block_oc > 0 && p->length > 0;
  if (in_16_bits && one && PackWithExcess(p, put)) return;
  SizeWords(p, HasByteDot());
  const int64_t matrices = p->winograd ? kPatchMatrices : p->blocks;
  p->data = AlignedFloats::Lasting((p->block_bytes * matrices + 3) / 4);
  p->sums = AlignedFloats::Lasting(p->block_columns * p->blocks);
  if (p->data.packed() && p->sums.packed()) return;
  std::fill_n(p->data.data(), p->data.size(), 0.0f);
  std::fill_n(p->sums.data(), p->sums.size(), 0.0f);
  Packer packer(*p, p->data.data(), p->sums.data());
  put(&packer);
}

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
  packed.winograd = TakesInt8Winograd(s) && Int8WinogradPays(s);
  packed.Divide(s.dw > 1);
  const int64_t taps = s.kh * s.kw;
  PackWords(&packed, [&](Packer* packer) {
    for (int64_t o = 0; o < s.oc; ++o) {
      const int64_t block = o / packed.block_oc, column = o % packed.block_oc;
      const int64_t first_channel = column / group_oc * group_ic;
      const int8_t* const from = weights + o * group_ic * taps;
      if (packed.winograd)
        for (int64_t i = 0; i < group_ic; ++i) packer->PutPatches(i, o, from + i * taps);
      else
        for (int64_t t = 0; t < taps; ++t)
          packer->Put(block, t * packed.block_ic + first_channel, column, group_ic, from + t, taps);
    }
  });
  return packed;
}

PackedInt8 PackInt8Matrix(int64_t k, int64_t n, const int8_t* b, bool transposed) {
  PackedInt8 packed;
  packed.oc = packed.block_oc = n;
  packed.ic = packed.block_ic = k;
  packed.Divide(false);
  PackWords(&packed, [&](Packer* packer) {
    for (int64_t j = 0; j < n; ++j)
      packer->Put(0, 0, j, k, b + (transposed ? j * k : j), transposed ? 1 : n);
  });
  return packed;
}

Int8Scaling ScaleInt8(const PackedInt8& weights, const Int8Rounding& rounding, float step,
                      const float* scales) {
  const int64_t columns = weights.block_columns * weights.blocks;
  Int8Scaling scaling = {rounding, Zeros(columns), AlignedFloats(columns)};
  const auto* sums = reinterpret_cast<const int32_t*>(weights.sums.data());
  auto* start = reinterpret_cast<int32_t*>(scaling.start.data());
  const int32_t less = -StoredZero(weights, rounding);
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

// Bytes that are moved by StoredZero where weights are words of bytes, else int16.
class Int8Product final : public RoundedProduct {
 public:
  Int8Product(const PackedInt8& w, const Int8Scaling& scaling, const Epilogue& epilogue, void* c,
              int64_t ldc)
      : RoundedProduct(w, w.quads ? 1 : 2, StoredZero(w, scaling.rounding), epilogue, c, ldc),
        w_(w),
        scaling_(scaling),
        rounding_(LeftRounding(w, scaling.rounding)),
        less_(scaling.rounding.zero - rounding_.zero) {}

  void Round(const float* x, int64_t count, char* out) const override {
    LITE_ISA_PICK(kInt8Table).round_row(x, count, rounding_, w_.quads, out);
  }
  bool ReadsBytes() const override { return w_.quads && less_ == 0; }
  void Take(const uint8_t* x, int64_t count, char* out) const override {
    if (ReadsBytes())
      std::memcpy(out, x, static_cast<size_t>(count));
    else
      LITE_ISA_PICK(kInt8Table).take_bytes(x, count, less_, w_.quads, out);
  }

 private:
  void Run(const RoundedBlock& block, int64_t index) const override {
    Int8Block g{block};
    g.words = w_.words;
    g.quads = w_.quads;
    g.b = reinterpret_cast<const int8_t*>(w_.data.data()) + index * w_.block_bytes;
    g.start = reinterpret_cast<const int32_t*>(scaling_.start.data()) + index * w_.block_columns;
    g.scales = scaling_.scales.data() + index * w_.block_columns;
    if (w_.excess_ends.size() != 0) {
      g.excess_ends = reinterpret_cast<const int32_t*>(w_.excess_ends.data());
      g.excess_places = reinterpret_cast<const ExcessPlace*>(w_.excess_places.data());
      g.excess_words = reinterpret_cast<const int8_t*>(w_.excess_words.data());
    }
    if (InTiles(w_)) return RunInTiles(g);
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

bool InTiles(const PackedInt8& weights) {
  return weights.quads && TilesPayForBytes(weights.block_oc, weights.segments, weights.words);
}

void ConvInt8(int threads, const ConvShape& s, const RoundedInput& x, const PackedInt8& weights,
              const Int8Scaling& scaling, const Epilogue& epilogue, void* y) {
  RunRoundedConv(threads, s, x, Int8Product(weights, scaling, epilogue, y, s.YPixel()));
}

void GemmInt8(int threads, int64_t m, const RoundedInput& a, int64_t lda, const PackedInt8& b,
              const Int8Scaling& scaling, void* c, int64_t ldc, const Epilogue& epilogue) {
  RunRoundedGemm(threads, m, a, lda, Int8Product(b, scaling, epilogue, c, ldc));
}

}  // namespace paddle::lite::math
