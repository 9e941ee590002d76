// Products of rows that are rounded to bf16 or to bytes, in tiles; of AVX-512's objects only. The
// packed panels are those of the vectors' kernels: a row of words is a row of a tile on the right.

#if defined(__AVX512F__) && (defined(LITE_WITH_TILES) || defined(LITE_TILE_MODEL))

#include "lite/kernels/cpu/math/isa/word_tiles.h"

#include "lite/kernels/cpu/math/isa/rounded_tile.h"
#include "lite/kernels/cpu/math/isa/tile_block.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

constexpr int kWordBytes = 4;
constexpr int kTileWords = kTileRowBytes / kWordBytes;

// What is added up in a column.
struct ColumnWords {
  int64_t words;     // of a segment
  int64_t elements;  // of 2 bytes that count in it
  int64_t all;       // words of all segments

  int64_t Tiles() const { return (all + kTileWords - 1) / kTileWords; }
};

// A row's segments one after another to its row of tiles, with zeros behind them.
void GatherRow(const RoundedBlock& g, const char* row, const ColumnWords& k, char* to) {
  const auto at = [&](int64_t word) {
    return to + word / kTileWords * kTileBytes + word % kTileWords * kWordBytes;
  };
  if (k.all % kTileWords != 0) _mm512_storeu_si512(at(k.all / kTileWords * kTileWords), __m512i());
  int64_t word = 0;
  for (int64_t s = 0; s < g.segments; ++s) {
    const char* const from = row + g.offsets[s];
    for (int64_t i = 0; i < k.words;) {
      const int64_t space = kTileWords - word % kTileWords, left = k.words - i;
      const int64_t count = left < space ? left : space, rest = k.elements - 2 * i;
      const auto words = static_cast<__mmask16>((1u << count) - 1);
      const auto elements = static_cast<__mmask32>((1ull << (rest < 32 ? rest : 32)) - 1);
      const __m512i x = _mm512_maskz_loadu_epi16(elements, from + i * kWordBytes);
      _mm512_mask_storeu_epi32(at(word), words, x);
      i += count, word += count;
    }
  }
}

constexpr int64_t kMostShortTiles = 8;

// The same of rows whose segments are shorter than a tile's, by way of rows without gaps.
void GatherShortRows(const RoundedBlock& g, int64_t row, int64_t rows, const ColumnWords& k,
                     char* to) {
  alignas(64) char flat[kTileHeight][(kMostShortTiles + 1) * kTileRowBytes];
  const auto elements = static_cast<__mmask32>((1ull << k.elements) - 1);
  const int64_t bytes = k.words * kWordBytes, end = g.segments * bytes;
  for (int64_t r = 0; r < rows; ++r) {
    const char* const from = g.rows[row + r];
    char* at = flat[r];
    for (int64_t s = 0; s < g.segments; ++s, at += bytes)
      _mm512_storeu_si512(at, _mm512_maskz_loadu_epi16(elements, from + g.offsets[s]));
    _mm512_storeu_si512(flat[r] + end, __m512i());
  }
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t t = 0; t < k.Tiles(); ++t)
      _mm512_store_si512(to + t * kTileBytes + r * kTileRowBytes,
                         _mm512_load_si512(flat[r] + t * kTileRowBytes));
}

// The same of rows whose segments are whole tiles.
void GatherWholeRow(const RoundedBlock& g, const char* row, int64_t bytes, char* to) {
  for (int64_t s = 0; s < g.segments; ++s) {
    const char* const from = row + g.offsets[s];
    for (int64_t i = 0; i < bytes; i += kTileRowBytes, to += kTileBytes)
      _mm512_store_si512(to, _mm512_loadu_si512(from + i));
  }
}

void GatherRows(const RoundedBlock& g, const ColumnWords& k, char* room) {
  const int64_t tiles = k.Tiles() * kTileBytes;
  const bool is_short = k.words < kTileWords && k.Tiles() <= kMostShortTiles;
  const bool is_whole = k.words % kTileWords == 0 && k.elements == 2 * k.words;
  for (int64_t row = 0; row < g.row_count; row += kTileHeight, room += tiles) {
    const int64_t left = g.row_count - row, rows = left < kTileHeight ? left : kTileHeight;
    if (is_short) {
      GatherShortRows(g, row, rows, k, room);
      continue;
    }
    for (int64_t r = 0; r < rows; ++r) {
      char* const to = room + r * kTileRowBytes;
      is_whole ? GatherWholeRow(g, g.rows[row + r], k.words * kWordBytes, to)
               : GatherRow(g, g.rows[row + r], k, to);
    }
  }
}

// Where the left-hand tiles of a block are, and how many bytes apart: a tile's rows, the tiles of
// a row's words, the tiles of rows.
struct LeftTiles {
  const char* data;
  int64_t row, words, rows;
};

// Gathered in `room`, or where the rows are if those are tiles as they are.
LeftTiles FindLeft(const RoundedBlock& g, const ColumnWords& k, char* room) {
  const int64_t step = g.row_count > 1 ? g.rows[1] - g.rows[0] : kTileRowBytes;
  bool even = g.segments == 1 && k.all % kTileWords == 0 && k.elements == 2 * k.words;
  for (int64_t r = 2; even && r < g.row_count; ++r) even = g.rows[r] - g.rows[r - 1] == step;
  if (even) return {g.rows[0] + g.offsets[0], step, kTileRowBytes, kTileHeight * step};
  GatherRows(g, k, room);
  return {room, kTileRowBytes, kTileBytes, k.Tiles() * kTileBytes};
}

// Up to two tiles of rows times up to two of columns.
struct WordProduct {
  LeftTiles left = {};
  const char* right = nullptr;
  int64_t right_row = 0;       // bytes of a row of words
  int64_t tiles = 0;           // whole ones
  const char* tail = nullptr;  // the last rows of words with zeros behind them, if there are any
  PanelShare next;             // of what is read next
  const int32_t* start = nullptr;
  float* sums = nullptr;
  int64_t stride = 0;  // bytes
};

template <typename Word, int sum>
LITE_INLINE void StartSum(const int32_t* start) {
  if constexpr (Word::kIntegers)
    TileLoad<sum>(start, 0);  // the same for every row
  else
    TileZero<sum>();
}

template <typename Word, bool two_rows, bool two_columns>
LITE_INLINE void LoadAndMultiply(const char* left, const WordProduct& p, const char* right,
                                 int64_t right_row) {
  TileLoad<kLeft>(left, p.left.row);
  if constexpr (two_rows) TileLoad<kLeft + 1>(left + p.left.rows, p.left.row);
  TileLoad<kRight>(right, right_row);
  if constexpr (two_columns) TileLoad<kRight + 1>(right + kTileRowBytes, right_row);
  MultiplyTiles<Word, two_rows, two_columns>();
}

template <typename Word, bool two_rows, bool two_columns>
void Multiply(const WordProduct& p) {
  StartSum<Word, kSums>(p.start);
  if constexpr (two_columns) StartSum<Word, kSums + 1>(p.start + kW);
  if constexpr (two_rows) StartSum<Word, kSums + 2>(p.start);
  if constexpr (two_rows && two_columns) StartSum<Word, kSums + 3>(p.start + kW);
  const char *left = p.left.data, *right = p.right;
  const int64_t step = kTileWords * p.right_row;
  for (int64_t i = 0; i < p.tiles; ++i, left += p.left.words, right += step) {
    LoadAndMultiply<Word, two_rows, two_columns>(left, p, right, p.right_row);
    AskFor(p.next, i * step);
  }
  if (p.tail != nullptr) LoadAndMultiply<Word, two_rows, two_columns>(left, p, p.tail, p.right_row);
  StoreSums<two_rows, two_columns>(p.sums, p.stride);
}

// One panel; `words` are its weights.
template <typename Word>
class WordPanel {
 public:
  WordPanel(const RoundedBlock& g, const ColumnWords& k, const PanelPlace& panel, const char* words)
      : g_(g),
        k_(k),
        panel_(panel),
        words_(words),
        row_bytes_(panel.vectors * kW * kWordBytes),
        place_{g.c, g.ldc, g.row_count, g.first_row, g.first_column, g.bytes},
        finish_(*g.epilogue, place_, panel) {
    finish_.Set(&t_);
    t_.vectors = panel.vectors;
    const int64_t rest = k.all % kTileWords * row_bytes_;
    if (rest == 0) return;
    __builtin_memset(tail_, 0, sizeof(tail_));
    __builtin_memcpy(tail_, words + k.all / kTileWords * kTileWords * row_bytes_, rest);
  }
  WordPanel(const WordPanel&) = delete;

  // `start` and `scales`: of the panel's columns, where sums are integers.
  void Run(const LeftTiles& left_tiles, bool asks, const int32_t* start, const float* scales,
           Tiles* tiles) {
    alignas(64) float sums[kPairRows * kLastPanelVectors * kW];
    for (int64_t row = 0; row < g_.row_count; row += kPairRows) {
      const int64_t left = g_.row_count - row;
      const int rows = static_cast<int>(left < kPairRows ? left : kPairRows);
      tiles->Shape(rows);
      RunRows(left_tiles, row, rows, asks, start, sums);
      Finish(row, rows, scales, sums);
    }
  }

 private:
  void RunRows(const LeftTiles& left, int64_t row, int rows, bool asks, const int32_t* start,
               float* sums) const {
    WordProduct p;
    p.left = left;
    p.left.data += row / kTileHeight * left.rows;
    p.right = words_;
    p.right_row = row_bytes_;
    p.tiles = k_.all / kTileWords;
    p.tail = k_.all % kTileWords != 0 ? tail_ : nullptr;
    if (asks)
      p.next =
          ShareOfNext(words_ + k_.all * row_bytes_, kTileWords * row_bytes_, row, g_.row_count);
    p.start = start;
    p.sums = sums;
    p.stride = row_bytes_;
    const bool two_rows = rows > kTileHeight;
    if (panel_.vectors > 1) {
      two_rows ? Multiply<Word, true, true>(p) : Multiply<Word, false, true>(p);
      p.next = {};
      p.right += 2 * kTileRowBytes;
      if (p.tail != nullptr) p.tail += 2 * kTileRowBytes;
      if (Word::kIntegers) p.start += 2 * kW;
      p.sums += 2 * kW;
    }
    if (panel_.vectors != 2)
      two_rows ? Multiply<Word, true, false>(p) : Multiply<Word, false, false>(p);
  }

  void Finish(int64_t row, int rows, const float* scales, float* sums) {
    const int64_t width = panel_.vectors * kW;
    if constexpr (Word::kIntegers)
      FinishIntegers(finish_, sums, width, scales, row, rows, &t_);
    else
      FinishAllRows(finish_, sums, width, row, rows, &t_);
  }

  const RoundedBlock& g_;
  const ColumnWords& k_;
  const PanelPlace& panel_;
  const char* const words_;
  const int64_t row_bytes_;
  const BlockPlace place_;
  const PanelFinish finish_;
  SumsTile t_;
  alignas(64) char tail_[kTileWords * kLastPanelVectors * kTileRowBytes];
};

// `b` are the words of all panels, `start` and `scales` those of all columns.
template <typename Word>
void RunBlock(const RoundedBlock& g, const ColumnWords& k, const void* b, const int32_t* start,
              const float* scales, char* room) {
  const LeftTiles left = FindLeft(g, k, room);
  Tiles tiles;
  for (int64_t p = g.first_panel; p < g.last_panel; ++p) {
    const PanelPlace panel(g.columns, p);
    const int64_t first = panel.first_column;
    WordPanel<Word> run(g, k, panel, static_cast<const char*>(b) + first * k.all * kWordBytes);
    run.Run(left, p + 1 < g.last_panel, Word::kIntegers ? start + first : nullptr,
            Word::kIntegers ? scales + first : nullptr, &tiles);
  }
}

}  // namespace

void RunHalvesInTiles(const HalvesBlock& g, char* room) {
  const int64_t words = (g.length + 1) / 2;
  RunBlock<Bf16>(g, {words, g.length, g.segments * words}, g.b, nullptr, nullptr, room);
}

void RunBytesInTiles(const Int8Block& g, char* room) {
  RunBlock<Bytes>(g, {g.words, 2 * g.words, g.segments * g.words}, g.b, g.start, g.scales, room);
}

}  // namespace paddle::lite::math::LITE_ISA

#endif
