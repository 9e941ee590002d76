// Products of rows that are rounded to bf16 or to bytes, in tiles; of AVX-512's objects only. The
// packed panels are those of the vectors' kernels: a row of words is a row of a tile on the right.

#if defined(__AVX512F__) && (defined(LITE_WITH_TILES) || defined(LITE_TILE_MODEL))

#include "lite/kernels/cpu/math/isa/word_tiles.h"

#include "lite/kernels/cpu/math/isa/tile_block.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

constexpr int kWordBytes = 4;
constexpr int kTileWords = kTileRowBytes / kWordBytes;

// A row's segments one after another, with zeros behind them. What a store has beyond a segment's
// end, the next one overwrites.
void GatherRow(const RoundedBlock& g, const char* row, const RowWords& k, char* to) {
  const int64_t whole = k.bytes / kTileRowBytes * kTileRowBytes;
  const auto rest = static_cast<__mmask32>((1ull << k.bytes % kTileRowBytes / 2) - 1);
  for (int64_t s = 0; s < g.segments; ++s, to += k.words * kWordBytes) {
    const char* const from = row + g.offsets[s];
    for (int64_t i = 0; i < whole; i += kTileRowBytes)
      _mm512_storeu_si512(to + i, _mm512_loadu_si512(from + i));
    if (rest != 0) _mm512_storeu_si512(to + whole, _mm512_maskz_loadu_epi16(rest, from + whole));
  }
  _mm512_storeu_si512(to, __m512i());
}

// Up to two tiles of rows times up to two of columns.
struct WordProduct {
  const char* left[2] = {};
  const char* right = nullptr;
  int64_t right_row = 0;       // bytes of a row of words
  const char* tail = nullptr;  // the last rows of words with zeros behind them, if there are any
  PanelShare next;             // of what is read next
  const int32_t* start = nullptr;
  float* sums = nullptr;
};

template <typename Word, int sum>
LITE_INLINE void StartSum(const int32_t* start) {
  if constexpr (Word::kIntegers)
    TileLoad<sum>(start, 0);  // the same for every row
  else
    TileZero<sum>();
}

template <typename Word, bool two_rows, bool two_columns>
LITE_INLINE void LoadAndMultiply(const char* first, const char* second, int64_t left_row,
                                 const char* right, int64_t right_row) {
  TileLoad<kLeft>(first, left_row);
  TileLoad<kRight>(right, right_row);
  Word::template Multiply<kSums, kLeft, kRight>();
  if constexpr (two_columns) {
    TileLoad<kRight + 1>(right + kTileRowBytes, right_row);
    Word::template Multiply<kSums + 1, kLeft, kRight + 1>();
  }
  if constexpr (!two_rows) return;
  TileLoad<kLeft + 1>(second, left_row);
  Word::template Multiply<kSums + 2, kLeft + 1, kRight>();
  if constexpr (two_columns) Word::template Multiply<kSums + 3, kLeft + 1, kRight + 1>();
}

// `meanwhile` is called with every tile of words: vectors work beside the tiles.
template <typename Word, bool two_rows, bool two_columns, typename Meanwhile>
LITE_INLINE void Multiply(const WordProduct& p, const LeftTiles& left, const Meanwhile& meanwhile) {
  StartSum<Word, kSums>(p.start);
  if constexpr (two_columns) StartSum<Word, kSums + 1>(p.start + kW);
  if constexpr (two_rows) StartSum<Word, kSums + 2>(p.start);
  if constexpr (two_rows && two_columns) StartSum<Word, kSums + 3>(p.start + kW);
  const char *first = p.left[0], *second = p.left[1], *right = p.right;
  const int64_t step = kTileWords * p.right_row;
  for (int64_t s = 0; s < left.segments; ++s) {
    first = p.left[0] + left.offsets[s], second = p.left[1] + left.offsets[s];
    for (int64_t i = 0; i < left.tiles; ++i) {
      LoadAndMultiply<Word, two_rows, two_columns>(first, second, left.row_bytes, right,
                                                   p.right_row);
      AskFor(p.next, right - p.right);
      meanwhile();
      first += kTileRowBytes, second += kTileRowBytes, right += step;
    }
  }
  if (p.tail != nullptr)
    LoadAndMultiply<Word, two_rows, two_columns>(first, second, left.row_bytes, p.tail,
                                                 p.right_row);
  StoreSums<two_rows, two_columns>(p.sums, p.right_row);
}

// Of an integer panel whose sums become bytes in registers.
struct BytesTile : SumsTile {
  const float* scales;
  ByteFinish bytes;
  const ByteSteps* steps;
  const uint8_t* added;  // null: nothing
  int64_t ldadded;
};

// round(sums, scales, bias, row, vector) gives a vector of bytes less the one of 0.
template <int vectors, typename Round>
LITE_INLINE void FinishVectors(const BytesTile& t, const ByteEnd& end, const Round& round) {
  V scales[vectors], bias[vectors];
  for (int v = 0; v < vectors; ++v)
    scales[v] = Load(t.scales + v * kW), bias[v] = Load(t.bias + v * kW);
  const float* in = t.in;
  uint8_t* out = reinterpret_cast<uint8_t*>(t.out);
  for (int r = 0; r < t.rows; ++r, in += t.ldin, out += t.ldout) {
    const auto at = [&](int v) __attribute__((always_inline)) {
      return round((VI)Load(in + v * kW), scales[v], bias[v], r, v);
    };
    for (int v = 0; v + 1 < vectors; v += 2) end.Store(out + v * kW, at(v), at(v + 1));
    if (vectors % 2 != 0) end.Store(out + (vectors - 1) * kW, at(vectors - 1));
  }
}

template <int vectors>
LITE_INLINE void FinishBytes(const BytesTile& t) {
  if (t.added == nullptr) {
    const ByteEnd end(t.bytes);
    return FinishVectors<vectors>(
        t, end, [&](VI sum, V scale, V bias, int, int) __attribute__((always_inline)) {
          return end.Round(sum, scale, bias);
        });
  }
  const AddingEnd end = t.steps->EndOfAdding(t.bytes);
  FinishVectors<vectors>(
      t, end.last, [&](VI sum, V scale, V bias, int r, int v) __attribute__((always_inline)) {
        return end.Round(sum, scale, bias, t.added + r * t.ldadded + v * kW);
      });
}

void FinishBytesTile(const BytesTile& t) {
  static_assert(kLastPanelVectors == 3);
  static_assert(kTileHeight * kLastPanelVectors <= kTilesAside * kMostRows * kPanelVectors);
  t.vectors == 1 ? FinishBytes<1>(t) : t.vectors == 2 ? FinishBytes<2>(t) : FinishBytes<3>(t);
}

// How rows of a panel's sums end: `scales` are null where these are reals.
class SumsEnd {
 public:
  SumsEnd(const PanelFinish& finish, int vectors, const float* scales)
      : finish_(finish), scales_(scales) {
    finish.Set(&t_);
    t_.vectors = vectors;
    t_.ldin = vectors * kW;
    t_.scales = scales;
    t_.steps = &finish.byte_steps();
    t_.added = nullptr;
    in_bytes_ = scales != nullptr && finish.EndsInTiles(scales, &t_.bytes);
    if (!in_bytes_) return;
    finish.byte_steps().FillTable(t_.bytes, table_);
    t_.ldout = finish.ByteRow();
  }
  SumsEnd(const SumsEnd&) = delete;

  int64_t width() const { return t_.ldin; }

  void Run(float* sums, int64_t row, int rows) {
    if (!in_bytes_)
      return scales_ != nullptr ? FinishIntegers(finish_, sums, t_.ldin, scales_, row, rows, &t_)
                                : FinishAllRows(finish_, sums, t_.ldin, row, rows, &t_);
    t_.in = sums;
    t_.rows = rows;
    if (t_.steps->added() != nullptr) return finish_.RunAdding(FinishBytesTile, row, &t_);
    finish_.RunToBytes(FinishBytesTile, row, rows, table_, &t_);
  }

 private:
  const PanelFinish& finish_;
  const float* const scales_;
  BytesTile t_;
  bool in_bytes_;
  alignas(64) uint8_t table_[256];
};

// Sums of two tiles of rows that are to be finished, while those of the next are multiplied.
class Waiting {
 public:
  void Add(SumsEnd* end, float* sums, int64_t row, int64_t rows) {
    tiles_[count_++] = {end, sums, row, rows};
    rows_ += rows;
  }

  // How many rows to finish with each of so many steps.
  int64_t Share(int64_t steps) const {
    constexpr int64_t kLeast = 8;  // what ends them begins anew each time
    const int64_t share = steps > 0 ? (rows_ + steps - 1) / steps : rows_;
    return share > kLeast ? share : kLeast;
  }

  // The next `most` rows, or what is left of them.
  void Finish(int64_t most) {
    for (int i = 0; i < count_; ++i) {
      Tile& tile = tiles_[i];
      const int64_t rows = most < tile.rows ? most : tile.rows;
      if (rows == 0) continue;
      tile.end->Run(tile.sums, tile.row, static_cast<int>(rows));
      tile.sums += rows * tile.end->width();
      tile.row += rows, tile.rows -= rows, rows_ -= rows, most -= rows;
    }
    if (rows_ == 0) count_ = 0;
  }

 private:
  struct Tile {
    SumsEnd* end;
    float* sums;
    int64_t row, rows;
  };
  Tile tiles_[2];
  int count_ = 0;
  int64_t rows_ = 0;
};

// One panel; `words` are its weights.
template <typename Word>
class WordPanel {
 public:
  static void* operator new(size_t, void* place) { return place; }

  // Of all panels: the words and, where sums are integers, `start` and `scales`. `next`: what is
  // asked for meanwhile, if anything.
  WordPanel(const RoundedBlock& g, const RowWords& k, int64_t index, const char* words,
            const int32_t* start, const float* scales, const char* next)
      : panel_(g.columns, index),
        words_(words + panel_.first_column * k.all * kWordBytes),
        next_(next),
        start_(Word::kIntegers ? start + panel_.first_column : nullptr),
        row_bytes_(panel_.vectors * kW * kWordBytes),
        place_{g.c, g.ldc, g.row_count, g.first_row, g.first_column, g.bytes},
        finish_(*g.epilogue, place_, panel_),
        end_(finish_, panel_.vectors, Word::kIntegers ? scales + panel_.first_column : nullptr) {
    const int64_t rest = k.all % kTileWords * row_bytes_;
    if (rest == 0) return;
    has_tail_ = true;
    __builtin_memset(tail_, 0, sizeof(tail_));
    __builtin_memcpy(tail_, words_ + k.all / kTileWords * kTileWords * row_bytes_, rest);
  }
  WordPanel(const WordPanel&) = delete;

  // Tile `index` of rows and the next one, while others are finished.
  void Run(const LeftTiles& left, int64_t index, float* sums, Waiting* waiting) {
    const bool two_rows = index + 1 < left.count;
    WordProduct p;
    for (int64_t t = 0; t < 2; ++t) p.left[t] = left.places[two_rows ? index + t : index].data;
    p.right = words_;
    p.right_row = row_bytes_;
    p.tail = has_tail_ ? tail_ : nullptr;
    p.next =
        ShareOfNext(next_, kTileWords * row_bytes_, index * kTileHeight, left.count * kTileHeight);
    p.start = start_;
    p.sums = sums;
    const int64_t share = waiting->Share(left.segments * left.tiles);
    const auto finish = [&] { waiting->Finish(share); };
    if (panel_.vectors > 1) {
      two_rows ? Multiply<Word, true, true>(p, left, finish)
               : Multiply<Word, false, true>(p, left, finish);
      p.next = {};
      p.right += 2 * kTileRowBytes;
      if (has_tail_) p.tail += 2 * kTileRowBytes;
      if (Word::kIntegers) p.start += 2 * kW;
      p.sums += 2 * kW;
    }
    if (panel_.vectors != 2)
      two_rows ? Multiply<Word, true, false>(p, left, finish)
               : Multiply<Word, false, false>(p, left, finish);
    waiting->Finish(kPairRows);
    for (int64_t t = 0; t < (two_rows ? 2 : 1); ++t) {
      const LeftTiles::Place& place = left.places[index + t];
      waiting->Add(&end_, sums + (t * kTileHeight + place.done) * end_.width(),
                   place.row + place.done, left.height - place.done);
    }
  }

 private:
  const PanelPlace panel_;
  const char *const words_, *const next_;
  const int32_t* const start_;
  const int64_t row_bytes_;
  const BlockPlace place_;
  const PanelFinish finish_;
  SumsEnd end_;
  bool has_tail_ = false;
  alignas(64) char tail_[kTileWords * kLastPanelVectors * kTileRowBytes];
};

// Panels that take turns, so that two tiles of rows and what becomes of them stay in the nearest
// cache, where the panels' words leave room.
constexpr int64_t kPanelsInTurn = 8;

// `words` are those of all panels, `start` and `scales` of all columns.
template <typename Word>
void RunBlock(const RoundedBlock& g, const char* words, const int32_t* start, const float* scales,
              const LeftTiles& left) {
  const RowWords& k = left.row;
  if (left.room != nullptr)
    for (int64_t r = 0; r < g.row_count; ++r)
      GatherRow(g, g.rows[r], k, left.room + r * left.row_bytes);
  Tiles tiles;
  tiles.Shape(left.height, left.count > 1 ? left.height : 0);
  alignas(64) float sums[2][kPairRows * kLastPanelVectors * kW];
  using Panel = WordPanel<Word>;
  alignas(Panel) char room[kPanelsInTurn][sizeof(Panel)];
  Panel* panels[kPanelsInTurn];
  const int64_t fitting = left.near_bytes / 3 / (k.all * kWordBytes * kPanelVectors * kW + 1);
  const int64_t turn = fitting < 1 ? 1 : fitting < kPanelsInTurn ? fitting : kPanelsInTurn;
  for (int64_t first = g.first_panel; first < g.last_panel; first += turn) {
    const int64_t rest = g.last_panel - first, count = rest < turn ? rest : turn;
    for (int64_t p = 0; p < count; ++p) {
      const int64_t next = first + p + turn;
      panels[p] = new (room[p])
          Panel(g, k, first + p, words, start, scales,
                next < g.last_panel
                    ? words + PanelPlace(g.columns, next).first_column * k.all * kWordBytes
                    : nullptr);
    }
    Waiting waiting;
    int here = 0;
    for (int64_t i = 0; i < left.count; i += 2)
      for (int64_t p = 0; p < count; ++p, here ^= 1) panels[p]->Run(left, i, sums[here], &waiting);
    waiting.Finish(kPairRows);
  }
}

}  // namespace

void RunHalvesInTiles(const HalvesBlock& g, const LeftTiles& left) {
  RunBlock<Bf16>(g, reinterpret_cast<const char*>(g.b), nullptr, nullptr, left);
}

void RunBytesInTiles(const Int8Block& g, const LeftTiles& left) {
  RunBlock<Bytes>(g, reinterpret_cast<const char*>(g.b), g.start, g.scales, left);
}

}  // namespace paddle::lite::math::LITE_ISA

#endif
