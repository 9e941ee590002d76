// Products of fp32 from tiles of bf16; of AVX-512's objects only.

#if defined(__AVX512F__) && (defined(LITE_WITH_TILES) || defined(LITE_TILE_MODEL))

#include "lite/kernels/cpu/math/isa/tile_block.h"
#include "lite/kernels/cpu/math/isa/word_tiles.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

typedef uint32_t VU __attribute__((vector_size(64)));

constexpr int kUpperHalf = static_cast<int>(0xffff0000);

// The nearest bf16, in the upper half of each lane. What is not finite, or nearer to infinity, is
// so or lost; then the last part is not finite.
LITE_INLINE V Nearest(V x) { return (V)(((VU)x + 0x8000) & static_cast<uint32_t>(kUpperHalf)); }

struct Parts {
  V part[kTileParts];
};

LITE_INLINE Parts Split(V x) {
  const V first = Nearest(x), rest = x - first, second = Nearest(rest);
  return {{first, second, rest - second}};
}

// For weights, which are put together again (Weights::At): numbers that are not finite are their
// first part, and the largest ones have a finite one.
LITE_INLINE Parts SplitWeights(V x) {
  const VI bits = (VI)x, size = bits & SplatInt(0x7fffffff);
  const VI large = size >= SplatInt(0x7f7f8000), finite = size < SplatInt(0x7f800000);
  const VI quiet = (size > SplatInt(0x7f800000)) & SplatInt(0x00400000);
  const V cut = (V)((bits & SplatInt(kUpperHalf)) | quiet);
  const V first = (V)(((VI)cut & large) | ((VI)Nearest(x) & ~large));
  const V rest = (V)((VI)(x - first) & finite), second = Nearest(rest);
  return {{first, second, rest - second}};
}

// The upper halves of two vectors, as the lower and the upper ones of one: summand k and k + kW are
// the two of a word.
LITE_INLINE VU Words(V low, V high) {
  return ((VU)low >> 16) | ((VU)high & static_cast<uint32_t>(kUpperHalf));
}

// A block of the summands of all rows.
struct Depth {
  Depth(const TileBlock& g, int64_t first) : first(first) {
    const int64_t left = g.segments * g.length - first;
    count = left < kTileBlockDepth ? left : kTileBlockDepth;
    tiles = (count + kTileDepth - 1) / kTileDepth;
    last = count == left;
  }

  int64_t first, count, tiles;
  bool last;
};

// A block's summands of a row, which are put to `room` where they are in several segments.
const float* Summands(const TileBlock& g, const float* row, const Depth& depth, float* room) {
  int64_t segment = depth.first / g.length, at = depth.first % g.length;
  if (at + depth.count <= g.length) return row + g.offsets[segment] + at;
  for (int64_t done = 0; done < depth.count; ++segment, at = 0) {
    const int64_t left = depth.count - done, there = g.length - at;
    const int64_t count = left < there ? left : there;
    __builtin_memcpy(room + done, row + g.offsets[segment] + at, count * sizeof(float));
    done += count;
  }
  return room;
}

// The tiles of 16 rows follow each other: for every kTileDepth summands the three parts.
void SplitRow(const float* x, const Depth& depth, char* to) {
  for (int64_t k = 0; k < depth.count; k += kTileDepth, to += kTileParts * kTileBytes) {
    const int left = static_cast<int>(depth.count - k < kTileDepth ? depth.count - k : kTileDepth);
    const Parts low = Split(LoadN(x + k, left < kW ? left : kW));
    const Parts high = Split(left > kW ? LoadN(x + k + kW, left - kW) : V{});
    for (int i = 0; i < kTileParts; ++i)
      *reinterpret_cast<VU*>(to + i * kTileBytes) = Words(low.part[i], high.part[i]);
  }
}

void SplitRows(const TileBlock& g, const Depth& depth) {
  if (depth.count == 0) return;
  alignas(64) float room[kTileBlockDepth];
  for (int64_t r = 0; r < g.row_count; ++r) {
    const int64_t tile = r / kTileHeight * depth.tiles * kTileParts;
    SplitRow(Summands(g, g.rows[r], depth, room), depth,
             g.room + tile * kTileBytes + r % kTileHeight * kTileRowBytes);
  }
}

// A panel's weights.
struct Weights : PanelPlace {
  Weights(const TileBlock& g, int64_t index) : PanelPlace(g.columns, index) {
    const int64_t runs = (g.segments * g.length + kTileDepth - 1) / kTileDepth;
    run_bytes = vectors * kTileParts * kTileBytes;
    tiles = reinterpret_cast<const char*>(g.b) + first_column / kW * kTileParts * kTileBytes * runs;
  }

  // The columns of a vector's weights of summand k: the parts' sum is exact.
  V At(int64_t k, int vector) const {
    const char* at = tiles + k / kTileDepth * run_bytes + vector * kTileParts * kTileBytes +
                     k % kTileHeight * kTileRowBytes;
    V sum = {};
    for (int i = 0; i < kTileParts; ++i) {
      const VI word = *reinterpret_cast<const VI*>(at + i * kTileBytes);
      sum += (V)(k % kTileDepth < kTileHeight ? word << 16 : word & SplatInt(kUpperHalf));
    }
    return sum;
  }

  const char* tiles;
  int64_t run_bytes;  // of all tiles of kTileDepth summands
};

constexpr int kRunBytes = kTileParts * kTileBytes;  // of a tile of rows or columns

// Up to two tiles of rows times up to two of columns.
struct Product {
  const char* left = nullptr;
  int64_t left_step = 0;  // from the first tile of rows to the second
  const char* right = nullptr;
  int64_t right_step = 0;  // from one run of kTileDepth summands to the next
  int64_t runs = 0;
  PanelShare next;   // of what is read next, instead of `right`
  bool add = false;  // to what the sums are
  float* sums = nullptr;
  int64_t stride = 0;  // bytes
};

template <int first, int part, bool two>
LITE_INLINE void LoadPart(const char* at, int64_t step) {
  TileLoad<first>(at + part * kTileBytes, kTileRowBytes);
  if constexpr (two) TileLoad<first + 1>(at + step + part * kTileBytes, kTileRowBytes);
}

template <int sum>
LITE_INLINE void StartSum(const float* at, const Product& p) {
  p.add ? TileLoad<sum>(at, p.stride) : TileZero<sum>();
}

// `meanwhile` is called with every run of summands: vectors work beside the tiles.
template <bool two_rows, bool two_columns, typename Meanwhile>
LITE_INLINE void Multiply(const Product& p, const Meanwhile& meanwhile) {
  float* const below = p.sums + kTileHeight * p.stride / 4;
  StartSum<kSums>(p.sums, p);
  if constexpr (two_columns) StartSum<kSums + 1>(p.sums + kW, p);
  if constexpr (two_rows) StartSum<kSums + 2>(below, p);
  if constexpr (two_rows && two_columns) StartSum<kSums + 3>(below + kW, p);
  const char *left = p.left, *right = p.right;
  for (int64_t i = 0; i < p.runs; ++i, left += kRunBytes, right += p.right_step) {
    // The largest products last; each step changes the parts of one side.
    LoadPart<kLeft, 2, two_rows>(left, p.left_step);
    LoadPart<kRight, 0, two_columns>(right, kRunBytes);
    MultiplyTiles<Bf16, two_rows, two_columns>();
    LoadPart<kLeft, 1, two_rows>(left, p.left_step);
    MultiplyTiles<Bf16, two_rows, two_columns>();
    LoadPart<kRight, 1, two_columns>(right, kRunBytes);
    MultiplyTiles<Bf16, two_rows, two_columns>();
    LoadPart<kLeft, 0, two_rows>(left, p.left_step);
    MultiplyTiles<Bf16, two_rows, two_columns>();
    LoadPart<kRight, 2, two_columns>(right, kRunBytes);
    MultiplyTiles<Bf16, two_rows, two_columns>();
    LoadPart<kRight, 0, two_columns>(right, kRunBytes);
    MultiplyTiles<Bf16, two_rows, two_columns>();
    meanwhile();
    AskFor(p.next, i * p.right_step);
  }
  StoreSums<two_rows, two_columns>(p.sums, p.stride);
}

// One block of summands of one panel.
class PanelRun {
 public:
  PanelRun(const TileBlock& g, int64_t index, const Depth& depth, Tiles* tiles)
      : g_(g),
        depth_(depth),
        w_(g, index),
        tiles_(*tiles),
        place_{g.c, g.ldc, g.row_count, g.first_row, g.first_column},
        finish_(*g.epilogue, place_, w_) {
    finish_.Set(&t_);
    t_.vectors = w_.vectors;
    next_ = index + 1 < g.last_panel ? Weights(g, index + 1).tiles + Skipped(Weights(g, index + 1))
                                     : reinterpret_cast<const char*>(g.next);
  }
  PanelRun(const PanelRun&) = delete;

  void Run() {
    alignas(64) float own[2][kPairRows * kLastPanelVectors * kW];
    const bool whole = depth_.first == 0 && depth_.last;
    for (int64_t row = 0; row < g_.row_count; row += kPairRows) {
      const int64_t left = g_.row_count - row;
      const int rows = static_cast<int>(left < kPairRows ? left : kPairRows);
      const Sums sums = whole ? Sums{own[row / kPairRows % 2], w_.vectors * kW} : SumsAt(row);
      RunRows(row, rows, sums);
      FinishSome(kPairRows);
      if (depth_.last) ready_ = {row, rows, sums};
    }
    FinishSome(kPairRows);
  }

 private:
  struct Sums {
    float* data;
    int64_t stride;  // floats
  };

  // Sums that are to be finished, while those of the next rows are multiplied.
  struct Ready {
    int64_t row;
    int rows;
    Sums sums;
  };

  int64_t Skipped(const Weights& w) const { return depth_.first / kTileDepth * w.run_bytes; }

  // Of the blocks of summands so far, in the room behind the rows' parts.
  Sums SumsAt(int64_t row) const {
    const PanelPlace first(g_.columns, g_.first_panel), last(g_.columns, g_.last_panel - 1);
    const int64_t stride = last.first_column + last.vectors * kW - first.first_column;
    const int64_t heights = (g_.row_count + kTileHeight - 1) / kTileHeight;
    char* const room = g_.room + heights * Depth(g_, 0).tiles * kRunBytes;
    return {reinterpret_cast<float*>(room) + row * stride + w_.first_column - first.first_column,
            stride};
  }

  void RunRows(int64_t row, int rows, const Sums& sums) {
    tiles_.Shape(rows < kTileHeight ? rows : kTileHeight,
                 rows < kTileHeight ? 0 : rows - kTileHeight);
    Product p;
    p.left_step = depth_.tiles * kRunBytes;
    p.left = g_.room + row / kTileHeight * p.left_step;
    p.right = w_.tiles + Skipped(w_);
    p.right_step = w_.run_bytes;
    p.runs = depth_.tiles;
    p.next = ShareOfNext(next_, w_.run_bytes, row, g_.row_count);
    p.add = depth_.first > 0;
    p.sums = sums.data;
    p.stride = sums.stride * static_cast<int64_t>(sizeof(float));
    const int share = static_cast<int>((ready_.rows + p.runs - 1) / (p.runs > 0 ? p.runs : 1));
    const auto finish = [&] { FinishSome(share); };
    const bool two_rows = rows > kTileHeight;
    if (w_.vectors > 1) {
      two_rows ? Multiply<true, true>(p, finish) : Multiply<false, true>(p, finish);
      p.next = {};
      p.right += 2 * kRunBytes;
      p.sums += 2 * kW;
    }
    if (w_.vectors != 2)
      two_rows ? Multiply<true, false>(p, finish) : Multiply<false, false>(p, finish);
  }

  // The next `count` rows of those that are ready, or what is left of them.
  void FinishSome(int count) {
    if (ready_.rows == 0) return;
    if (count > ready_.rows) count = ready_.rows;
    const Sums& sums = ready_.sums;
    if (!Finite(sums, 0, count))
      for (int r = 0; r < count; ++r)
        if (!Finite(sums, r, r + 1)) Recompute(ready_.row + r, sums.data + r * sums.stride);
    FinishAllRows(finish_, sums.data, sums.stride, ready_.row, count, &t_);
    ready_.row += count, ready_.rows -= count, ready_.sums.data += count * sums.stride;
  }

  bool Finite(const Sums& sums, int begin, int end) const {
    V zero = {};
    for (int r = begin; r < end; ++r)
      for (int v = 0; v < w_.vectors; ++v) {
        const V x = Load(sums.data + r * sums.stride + v * kW);
        zero += x - x;
      }
    return _mm512_cmp_ps_mask(zero, V{}, _CMP_UNORD_Q) == 0;
  }

  // A row as fp32 has it: Inf and what overflows in a part would meet another part's 0 or -Inf.
  void Recompute(int64_t row, float* sums) const {
    V sum[kLastPanelVectors] = {};
    for (int64_t s = 0, k = 0; s < g_.segments; ++s) {
      const float* const x = g_.rows[row] + g_.offsets[s];
      for (int64_t i = 0; i < g_.length; ++i, ++k)
        for (int v = 0; v < w_.vectors; ++v) MulAdd(&sum[v], Splat(x[i]), w_.At(k, v));
    }
    for (int v = 0; v < w_.vectors; ++v) Store(sums + v * kW, sum[v]);
  }

  const TileBlock& g_;
  const Depth& depth_;
  const Weights w_;
  Tiles& tiles_;
  const BlockPlace place_;
  const PanelFinish finish_;
  const char* next_;
  Ready ready_ = {};
  SumsTile t_;
};

void RunBlock(const TileBlock& g) {
  Tiles tiles;
  for (int64_t first = 0;; first += kTileBlockDepth) {
    const Depth depth(g, first);
    SplitRows(g, depth);
    for (int64_t p = g.first_panel; p < g.last_panel; ++p) PanelRun(g, p, depth, &tiles).Run();
    if (depth.last) return;
  }
}

void Pack(const TilePanel& p) {
  const V none = {};
  char* to = p.tiles;
  for (int64_t run = 0; run < p.k; run += kTileDepth)
    for (int64_t j = 0; j < p.width; j += kW, to += kRunBytes)
      for (int64_t i = 0; i < kTileHeight; ++i) {
        const int64_t k = run + i, second = k + kTileHeight;
        const auto row = [&](int64_t at) {
          return at < p.k ? Load(p.rows + at * p.width + j) : none;
        };
        const Parts low = SplitWeights(row(k)), high = SplitWeights(row(second));
        for (int part = 0; part < kTileParts; ++part)
          *reinterpret_cast<VU*>(to + part * kTileBytes + i * kTileRowBytes) =
              Words(low.part[part], high.part[part]);
      }
}

}  // namespace

extern const TileTable kTileTable = {RunBlock, Pack, RunHalvesInTiles, RunBytesInTiles};

}  // namespace paddle::lite::math::LITE_ISA

#endif
