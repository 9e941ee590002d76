#include "lite/kernels/cpu/math/integer_weights.h"

#include <algorithm>

#include "lite/core/base/thread_pool.h"

namespace paddle::lite::math {
namespace {

// K rows, of `taps` runs one after another; element (tap * channels + c, j) of the matrix is
// b[c * row + tap * tap_step + j * column].
struct Source {
  const int8_t* b;
  int64_t channels, row, column;
  int64_t taps = 1, tap_step = 0;
};

// The channels [begin, end) of a panel's columns.
void PackPanel(const Source& s, int64_t begin, int64_t end, int64_t first, int64_t columns,
               int64_t width, int8_t* panel) {
  for (int64_t tap = 0; tap < s.taps; ++tap) {
    int8_t* out = panel + (tap * s.channels + begin) * width;
    for (int64_t i = begin; i < end; ++i, out += width) {
      const int8_t* from = s.b + tap * s.tap_step + i * s.row + first * s.column;
      for (int64_t j = 0; j < columns; ++j) out[j] = from[j * s.column];
      std::fill(out + columns, out + width, int8_t{0});
    }
  }
}

// All panels of a K x N matrix, whose memory may go meanwhile where its rows lie side by side.
void PackAll(const Source& s, int64_t n, int threads, int8_t* to) {
  const int64_t k = s.channels * s.taps, padded = PackedFloats(1, n);
  constexpr int64_t kStepBytes = 8 << 20;
  const int64_t step =
      s.column == 1 && s.taps == 1 ? std::max<int64_t>(kStepBytes / n, 1) : s.channels;
  for (int64_t begin = 0; begin < s.channels; begin += step) {
    const int64_t end = std::min(begin + step, s.channels);
    ParallelFor(PackThreads(threads, (end - begin) * s.taps * n), PanelCount(n),
                [&](int64_t panel) {
                  const int64_t first = PanelColumn(panel, n), last = PanelColumn(panel + 1, n);
                  const int64_t width = (last == n ? padded : last) - first;
                  PackPanel(s, begin, end, first, last - first, width, to + first * k);
                });
    if (CurrentWeightMemory() != nullptr)
      CurrentWeightMemory()->Drop(s.b, static_cast<size_t>(end * s.taps * n));
  }
}

// A scale for each column, and for those that fill up the vectors.
AlignedFloats PaddedScales(const float* scales, int64_t n) {
  AlignedFloats padded(PackedFloats(1, n));
  std::copy_n(scales, n, padded.data());
  std::fill(padded.data() + n, padded.data() + padded.size(), 0.0f);
  return padded;
}

// Room for as many bytes.
AlignedFloats Bytes(int64_t count) { return AlignedFloats::Lasting((count + 3) / 4); }

}  // namespace

PackedIntegers PackIntegers(int64_t k, int64_t n, const int8_t* b, bool transposed,
                            const float* scales, int threads) {
  PackedIntegers packed;
  packed.isa = ActiveIsa();
  packed.k = k;
  packed.n = n;
  packed.data = Bytes(PackedFloats(k, n));
  packed.scales = PaddedScales(scales, n);
  if (k <= 0 || n <= 0 || packed.data.packed()) return packed;
  const Source source{b, k, transposed ? 1 : n, transposed ? k : 1};
  PackAll(source, n, threads, reinterpret_cast<int8_t*>(packed.data.data()));
  return packed;
}

namespace {

// Floats as they are, or words in their place.
PackedMatrix PackAsIs(int64_t k, int64_t n, const float* b, int64_t ldb, bool transposed,
                      int threads) {
  PackedMatrix packed;
  packed.isa = ActiveIsa();
  packed.k = k;
  packed.n = n;
  packed.data = AlignedFloats::Lasting(PackedFloats(k, n));
  if (packed.data.packed()) return packed;
  ParallelFor(PackThreads(threads, k * n), PanelCount(n), [&](int64_t panel) {
    PackPanels(k, n, b, ldb, transposed, packed.data.data(), panel, panel + 1);
  });
  if (CurrentWeightMemory() != nullptr)
    CurrentWeightMemory()->Drop(b, static_cast<size_t>(k * n) * sizeof(float));
  return packed;
}

}  // namespace

PackedGroups PackGroups(const UnpackedGroups& b, int threads) {
  PackedGroups packed;
  packed.bits = b.bits;
  packed.rows = b.rows;
  const int64_t words = b.blocks * b.rows * b.bits / 32;
  packed.words =
      PackAsIs(words, b.n, reinterpret_cast<const float*>(b.integers), words, true, threads);
  packed.scales = PackAsIs(b.blocks, b.n, b.scales, b.n, false, threads);
  if (b.zeros == nullptr) return packed;
  packed.zeros.k = b.blocks;
  packed.zeros.n = b.n;
  packed.zeros.data = Bytes(PackedFloats(b.blocks, b.n));
  if (packed.zeros.data.packed()) return packed;
  const Source source{reinterpret_cast<const int8_t*>(b.zeros), b.blocks, b.n, 1};
  PackAll(source, b.n, threads, reinterpret_cast<int8_t*>(packed.zeros.data.data()));
  return packed;
}

IntegerGroups GroupsOf(const PackedGroups& b) {
  IntegerGroups groups;
  groups.bits = b.bits;
  groups.rows = b.rows;
  groups.words = b.words.k;
  groups.count = b.scales.k;
  groups.scales = b.scales.data.data();
  if (b.zeros.k > 0) groups.zeros = reinterpret_cast<const uint8_t*>(b.zeros.data.data());
  return groups;
}

PackedConv PackConvIntegers(const int8_t* weights, int64_t oc, int64_t ic, int64_t kh, int64_t kw,
                            const float* scales, int threads) {
  PackedConv packed;
  packed.oc = packed.block_oc = oc;
  packed.ic = packed.block_ic = ic;
  packed.kh = kh, packed.kw = kw;
  const int64_t taps = kh * kw;
  packed.block_floats = PackedFloats(taps * ic, oc);
  packed.data = Bytes(packed.block_floats);
  packed.scales = PaddedScales(scales, oc);
  if (packed.block_floats == 0 || packed.data.packed()) return packed;
  const Source source{weights, ic, taps, ic * taps, taps, 1};
  PackAll(source, oc, threads, reinterpret_cast<int8_t*>(packed.data.data()));
  return packed;
}

}  // namespace paddle::lite::math
