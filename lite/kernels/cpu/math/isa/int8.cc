#include "lite/kernels/cpu/math/isa/patches.h"
#include "lite/kernels/cpu/math/isa/round_steps.h"
#include "lite/kernels/cpu/math/isa/rounded_tile.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

#if defined(__aarch64__)
#include "neon_tiles.inc"
constexpr auto& kTileRows = kWordRows;
constexpr bool kSumsIn16Bits = false;

void SumsOfPanel(const Int8Block& g, const PanelPlace& panel, int32_t* sums) {
  NeonTile t = {};
  t.offsets = g.offsets;
  t.segments = 1;
  t.length = g.words;
  t.b = g.b + panel.first_column * g.words * 4;
  t.start = kNoSums;
  t.finish = kRaw;
  t.ldout = panel.vectors * kW;
  const int v = panel.vectors;
  const int64_t count = (g.row_count + kTileRows[v] - 1) / kTileRows[v];
  const int64_t base = g.row_count / count, extra = g.row_count % count;
  for (int64_t row = 0, i = 0; i < count; i += t.tiles) {
    const int64_t height = base + (i < extra ? 1 : 0);
    t.tiles = (i < extra ? extra : count) - i;
    t.rows = reinterpret_cast<const void* const*>(g.rows + row);
    t.out = reinterpret_cast<float*>(sums) + row * t.ldout;
    row += height * t.tiles;
    kShorts[v][height](&t);
  }
}

void RunPanel(const Int8Block& g, const BlockPlace& block, int64_t index) {
  const PanelPlace panel(g.columns, index);
  const PanelFinish finish(*g.epilogue, block, panel);
  NeonTile t = {};
  t.offsets = g.offsets;
  t.segments = g.segments;
  t.length = g.words;
  t.b = g.b + panel.first_column * g.segments * g.words * 4;
  t.start = g.start + panel.first_column;
  t.scales = g.scales + panel.first_column;
  finish.Set(&t);
  const int v = panel.vectors;
  const int64_t count = (g.row_count + kTileRows[v] - 1) / kTileRows[v];
  for (int64_t i = 0, row = 0; i < count; ++i) {
    const auto height = static_cast<int>(g.row_count / count + (i < g.row_count % count ? 1 : 0));
    t.rows = reinterpret_cast<const void* const*>(g.rows + row);
    finish.Run((g.quads ? kBytes[v] : kShorts[v])[height], row, height, &t);
    row += height;
  }
}
#else
// What both kinds of words share, for rounded_tiles.inc.
typedef VI Sum;
typedef VI Left;
typedef VI Right;
constexpr int kLeftBytes = 4, kPhases = 1;
constexpr bool kTail = false, kExact = true;

LITE_INLINE VI Start(const RoundedTile& t, int v) { return LoadInts(t.start + v * kW); }
template <int phase>
LITE_INLINE VI LeftWord(const char* a) {
  return SplatWord(a);
}
template <int phase>
LITE_INLINE VI LeftTail(const char* a) {
  return SplatWord(a);
}
template <int phase>
LITE_INLINE VI RightWord(const char* b) {
  return LoadInts(b);
}
LITE_INLINE V RealsOf(VI sum, const RoundedTile& t, int v, V bias) {
  MulAdd(&bias, ToFloats(sum), Load(t.scales + v * kW));  // as PanelFinish::RealsOfSums
  return bias;
}

// Words of two int16: on every machine.
namespace pairs {
constexpr bool kExcess = false;
#if defined(__AVX512F__)
constexpr bool kGivesBytes = false;  // few machines have one and no dot products
#elif defined(__AVX2__)
constexpr bool kGivesBytes = true;
#endif
#define LITE_TILE_TARGET

LITE_INLINE void Add(VI* sum, VI a, VI b) {
#if defined(__AVX512F__)
  *sum += (VI)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
  *sum += (VI)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__x86_64__)
  *sum += (VI)_mm_madd_epi16((__m128i)a, (__m128i)b);
#elif defined(__wasm_simd128__)
  *sum += (VI)wasm_i32x4_dot_i16x8((v128_t)a, (v128_t)b);
#else
  *sum += (a << 16 >> 16) * (b << 16 >> 16) + (a >> 16) * (b >> 16);
#endif
}

#include "rounded_tiles.inc"
#undef LITE_TILE_TARGET
}  // namespace pairs

// Words of four bytes, the left-hand ones without sign.
#if defined(__AVX2__)
namespace quads {
constexpr bool kGivesBytes = true, kExcess = false;
#if defined(__AVX512F__)
#define LITE_TILE_TARGET LITE_TARGET("avx512vnni")
#else
#define LITE_TILE_TARGET LITE_TARGET("avxvnni")
#endif

LITE_TILE_TARGET LITE_INLINE void Add(VI* sum, VI a, VI b) {
#if defined(__AVX512F__)
  *sum = (VI)_mm512_dpbusd_epi32((__m512i)*sum, (__m512i)a, (__m512i)b);
#else
  *sum = (VI)_mm256_dpbusd_avx_epi32((__m256i)*sum, (__m256i)a, (__m256i)b);
#endif
}

#include "rounded_tiles.inc"
#undef LITE_TILE_TARGET
}  // namespace quads
#else
namespace quads = pairs;       // never chosen
#endif

// The same without dot products of bytes, see excess.h.
#if defined(__AVX2__) && !defined(__AVX512F__)
namespace in_16_bits {
constexpr bool kGivesBytes = true, kExcess = true;
#define LITE_TILE_TARGET

LITE_INLINE void Add(VI* sum, VI a, VI b) {
  const __m256i products = _mm256_maddubs_epi16((__m256i)a, (__m256i)b);
  *sum += (VI)_mm256_madd_epi16(products, _mm256_set1_epi16(1));
}

#include "rounded_tiles.inc"
#undef LITE_TILE_TARGET
}  // namespace in_16_bits
#else
namespace in_16_bits = pairs;  // never chosen
#endif

using pairs::kTileRows;
constexpr bool kSumsIn16Bits = in_16_bits::kExcess;

// Where tiles of sums go.
struct SumsPlace {
  float* sums;
  int64_t ld;

  LITE_INLINE_MEMBER int64_t Follow(int rows, int64_t tiles, RoundedTile* t) const {
    t->rows_step = rows;
    t->out_step = rows * ld;
    return tiles;
  }
  LITE_INLINE_MEMBER void Run(void (*tile)(const RoundedTile&), int64_t row, int,
                              RoundedTile* t) const {
    t->out = sums + row * ld;
    t->ldout = ld;
    tile(*t);
  }
};

#if defined(__AVX2__)
// Where tiles of bytes go.
struct BytesPlace {
  BytesPlace(const PanelFinish& how, const ByteFinish& first) : finish(how) {
    how.byte_steps().FillTable(first, table);
  }

  LITE_INLINE_MEMBER int64_t Follow(int rows, int64_t tiles, RoundedTile* t) const {
    return finish.FollowInBytes(rows, tiles, t);
  }
  LITE_INLINE_MEMBER void Run(void (*tile)(const RoundedTile&), int64_t row, int count,
                              RoundedTile* t) const {
    finish.RunToBytes(tile, row, count, table, t);
  }

  const PanelFinish& finish;
  alignas(64) uint8_t table[256];
};
#endif

void SumsOfPanel(const Int8Block& g, const PanelPlace& panel, int32_t* sums) {
  RoundedTile t = {};
  t.offsets = g.offsets;
  t.segments = 1;
  t.words = g.words;
  t.b = reinterpret_cast<const char*>(g.b) + panel.first_column * g.words * 4;
  t.start = kNoSums;
  t.finish = kRaw;
  const int v = panel.vectors;
  const SumsPlace place = {reinterpret_cast<float*>(sums), v * kW};
  RunTiles(pairs::kTiles[v], kTileRows[v], g.rows, g.row_count, place, &t);
}

typedef void (*TileFunction)(const RoundedTile&);

// The tiles of a panel's width, by rows, and the panel's words.
const TileFunction* FindWords(const Int8Block& g, const PanelPlace& panel, int64_t index,
                              RoundedTile* t) {
  t->offsets = g.offsets;
  t->segments = g.segments;
  t->words = g.words;
  t->tail = false;
  t->b = reinterpret_cast<const char*>(g.b) + panel.first_column * g.segments * g.words * 4;
  if (g.excess_ends == nullptr)
    return g.quads ? quads::kTiles[panel.vectors] : pairs::kTiles[panel.vectors];
  const int32_t first = index == 0 ? 0 : g.excess_ends[index - 1];
  t->places = g.excess_places + first;
  t->excess = g.excess_ends[index] - first;
  t->more = reinterpret_cast<const char*>(g.excess_words) + int64_t{first} * kPanelVectors * kW * 4;
  return in_16_bits::kTiles[panel.vectors];
}

void RunPanel(const Int8Block& g, const BlockPlace& block, int64_t index) {
  const PanelPlace panel(g.columns, index);
  const PanelFinish finish(*g.epilogue, block, panel);
  RoundedTile t;
  const TileFunction* const tiles = FindWords(g, panel, index, &t);
  t.start = g.start + panel.first_column;
  t.scales = g.scales + panel.first_column;
  finish.Set(&t);
  const int v = panel.vectors;
#if defined(__AVX2__)
  if ((g.quads || pairs::kGivesBytes) && finish.EndsInTiles(t.scales, &t.bytes)) {
    t.finish = kBytes;
    return RunTiles(tiles, kTileRows[v], g.rows, g.row_count, BytesPlace(finish, t.bytes), &t);
  }
#endif
  RunToEnd(tiles, kTileRows[v], g.rows, g.row_count, finish, v, &t,
           [&](float* sums, int64_t ld, int64_t row, int count, SumsTile* end) {
             FinishIntegers(finish, sums, ld, t.scales, row, count, end);
           });
}

// A single row of some panels from the index-th on, which end as one; how many they are.
int64_t RunRow(const Int8Block& g, const BlockPlace& block, int64_t index) {
  alignas(64) float sums[kMostVectors * kW];
  PanelPlace all(g.columns, index);
  int64_t panels = 0;
  RoundedTile t;
  t.tiles = 1;
  t.rows_step = t.out_step = 0;
  t.rows = g.rows;
  t.finish = kRaw;
  for (PanelPlace panel = all;;) {
    const TileFunction* const tiles = FindWords(g, panel, index + panels, &t);
    t.start = g.start + panel.first_column;
    t.out = sums + (panel.first_column - all.first_column);
    tiles[1](t);
    all.columns = panel.first_column + panel.columns - all.first_column;
    all.vectors = static_cast<int>((all.columns + kW - 1) / kW);
    if (index + ++panels == g.last_panel) break;
    panel = PanelPlace(g.columns, index + panels);
    if (all.vectors + panel.vectors > kMostVectors) break;
  }
  const PanelFinish finish(*g.epilogue, block, all);
  SumsTile end = {};
  end.vectors = all.vectors;
  finish.Set(&end);
  FinishIntegers(finish, sums, all.vectors * kW, g.scales + all.first_column, 0, 1, &end);
  return panels;
}
#endif

void RunPatches(const PatchBlock& g) {
  for (int64_t p = g.first_panel; p < g.last_panel; ++p)
    FinishPatches(g, PanelPlace(g.columns, p), SumsOfPanel);
}

void RunBlock(const Int8Block& g) {
  const BlockPlace block = {g.c, g.ldc, g.row_count, g.first_row, g.first_column, g.bytes};
#if !defined(__aarch64__)
  if (g.row_count == 1) {
    for (int64_t p = g.first_panel; p < g.last_panel;) p += RunRow(g, block, p);
    return;
  }
#endif
  for (int64_t p = g.first_panel; p < g.last_panel; ++p) RunPanel(g, block, p);
}

}  // namespace

extern const Int8Table kInt8Table = {kTileRows[kPanelVectors],
                                     kSumsIn16Bits,
                                     RunBlock,
                                     RoundRow,
                                     RoundReals,
                                     TakeBytes,
                                     RealsOfBytes,
                                     MapBytes,
                                     TransformPatches,
                                     RunPatches};

}  // namespace paddle::lite::math::LITE_ISA
