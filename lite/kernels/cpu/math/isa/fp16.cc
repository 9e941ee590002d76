#include "lite/kernels/cpu/math/halves_table.h"
#include "lite/kernels/cpu/math/isa/rounded_tile.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

typedef uint16_t H __attribute__((vector_size(kW * 2)));
typedef uint16_t HUnaligned __attribute__((vector_size(kW * 2), aligned(2), may_alias));

#if defined(__AVX2__)
#define LITE_TILE_TARGET __attribute__((target("f16c")))
#else
#define LITE_TILE_TARGET
#endif

constexpr int32_t kSign = -0x7fffffff - 1;
constexpr int32_t kInfinity = 0x7f800000;

LITE_TILE_TARGET LITE_INLINE V Widened(const void* p) {
#if defined(__AVX512F__)
  return _mm512_maskz_cvtph_ps(0xffff,  // The plain one warns in GCC 12.
                               _mm256_loadu_si256(static_cast<const __m256i*>(p)));
#elif defined(__AVX2__)
  return _mm256_cvtph_ps(_mm_loadu_si128(static_cast<const __m128i*>(p)));
#elif defined(__aarch64__)
  return (V)vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(static_cast<const uint16_t*>(p))));
#else
  const VI bits = __builtin_convertvector(*static_cast<const HUnaligned*>(p), VI);
  const VI size = (bits & SplatInt(0x7fff)) << 13;
  const VI number = (VI)((V)size * Splat(0x1p112f));
  const VI special = size >= SplatInt(0x1f << 23);
  return (V)((bits & SplatInt(0x8000)) << 16 | number | (special & SplatInt(kInfinity)));
#endif
}

// The nearest fp16, ties to even, as a float.
LITE_INLINE VI Rounded(V x) {
  const VI bits = (VI)x, size = bits & ~SplatInt(kSign), sign = bits & SplatInt(kSign);
  const VI nearest = (size + SplatInt(0xfff) + ((size >> 13) & SplatInt(1))) & SplatInt(-0x2000);
  // Denormals of fp16 are the multiples of 2^-24, as floats from 0.5 to 1 are.
  const VI denormal = (VI)((V)size + Splat(0.5f) - Splat(0.5f));
  const VI tiny = size < SplatInt(113 << 23), huge = size >= SplatInt(0x477ff000);
  const VI nan = size > SplatInt(kInfinity);
  const VI number = (denormal & tiny) | (nearest & ~tiny & ~huge) | (SplatInt(kInfinity) & huge);
  return sign | number | (nan & SplatInt(0x7fc00000));
}

// The same in 16 bits.
LITE_INLINE H Halves(V x) {
  const VI bits = Rounded(x), size = bits & ~SplatInt(kSign);
  const VI tiny = size < SplatInt(113 << 23), special = size >= SplatInt(kInfinity);
  const VI denormal = __builtin_convertvector((V)size * Splat(0x1p24f), VI);
  const VI number = (size - SplatInt(112 << 23)) >> 13;
  const VI infinite = SplatInt(0x7c00) | ((size >> 13) & SplatInt(0x200));
  const VI half = (denormal & tiny) | (number & ~tiny & ~special) | (infinite & special);
  return __builtin_convertvector(half | ((bits >> 16) & SplatInt(0x8000)), H);
}

// Words of two fp16 on the right, floats that are fp16 on the left: on every machine.
namespace widened {
typedef V Sum;
typedef V Left;
typedef V Right;
constexpr int kLeftBytes = 8, kPhases = 2;
constexpr bool kTail = true;

LITE_INLINE V Start(const RoundedTile&, int) { return V{}; }
LITE_INLINE V Reals(V sum, const RoundedTile&, int) { return sum; }
template <int phase>
LITE_INLINE V LeftWord(const char* a) {
  return Splat(reinterpret_cast<const float*>(a)[phase]);
}
template <int phase>
LITE_INLINE V LeftTail(const char* a) {
  return LeftWord<0>(a);
}
template <int phase>
LITE_TILE_TARGET LITE_INLINE V RightWord(const char* b) {
  return Widened(b + phase * 2 * kW);
}
LITE_INLINE void Add(V* sum, V a, V b) { MulAdd(sum, a, b); }

#include "rounded_tiles.inc"
}  // namespace widened

void SetOperands(const HalvesBlock& g, const PanelPlace& panel, RoundedTile* t) {
  t->offsets = g.offsets;
  t->segments = g.segments;
  t->words = g.length / 2;
  t->tail = g.length % 2 != 0;
  const int64_t column_words = g.segments * ((g.length + 1) / 2);
  t->b = reinterpret_cast<const char*>(g.b + panel.first_column * column_words);
}

void RunWidened(const HalvesBlock& g, const BlockPlace& block, int64_t index) {
  const PanelPlace panel(g.columns, index);
  const PanelFinish finish(*g.epilogue, block, panel);
  RoundedTile t;
  SetOperands(g, panel, &t);
  finish.Set(&t);
  const int v = panel.vectors;
  RunTiles(widened::kTiles[v], widened::kTileRows[v], g.rows, g.row_count, finish, &t);
}

#if defined(__aarch64__)
#include "neon_tiles.inc"

// A tile whose products are added up in fp16, and those sums in floats.
struct HalvesTile : RoundedTile {
  void (*multiply)(NeonTile*);
  int count, vectors;
};

// Stores to_result(sum, row, vector) for each vector of the sums.
template <typename Function>
void StoreSums(const HalvesTile& t, const float* sums, const Function& to_result) {
  for (int r = 0; r < t.count; ++r)
    for (int v = 0; v < t.vectors; ++v, sums += kW)
      Store(t.out + r * t.ldout + v * kW, to_result(Load(sums) + Load(t.bias + v * kW), r, v));
}

void RunHalvesTile(const HalvesTile& t) {
  alignas(16) float sums[kMostRows * kPanelVectors * kW] = {};
  NeonTile n = {};
  n.rows = reinterpret_cast<const void* const*>(t.rows);
  n.offsets = t.offsets;
  n.segments = t.segments;
  n.length = t.words;
  n.tail = t.tail;
  n.b = t.b;
  n.out = sums;
  t.multiply(&n);
  const V p0 = Splat(t.p0), p1 = Splat(t.p1), p2 = Splat(t.p2), p3 = Splat(t.p3);
  const V p4 = Splat(t.p4);
  if (t.finish == kClamp)
    StoreSums(t, sums, [&](V x, int, int) { return Clamp(x, p0, p1); });
  else if (t.finish == kHardSwish)
    StoreSums(t, sums, [&](V x, int, int) { return HardSwish(x, p0, p1, p2); });
  else if (t.finish == kHardSwishAffine)
    StoreSums(t, sums, [&](V x, int, int) { return HardSwish(x, p0, p1, p2) * p3 + p4; });
  else
    StoreSums(t, sums, [&](V x, int r, int v) {
      const V residual = Load(t.residual + r * t.ldresidual + v * kW);
      return Clamp(Clamp(x, p0, p1) + residual, p2, p3);
    });
}

void RunNative(const HalvesBlock& g, const BlockPlace& block, int64_t index) {
  const PanelPlace panel(g.columns, index);
  const PanelFinish finish(*g.epilogue, block, panel);
  HalvesTile t;
  SetOperands(g, panel, &t);
  finish.Set(&t);
  t.vectors = panel.vectors;
  for (int64_t row = 0; row < g.row_count; row += t.count) {
    const int64_t most = kHalfRows[t.vectors];
    t.count = static_cast<int>(g.row_count - row < most ? g.row_count - row : most);
    t.rows = g.rows + row;
    t.multiply = kHalves[t.vectors][t.count];
    finish.Run(RunHalvesTile, row, t.count, &t);
  }
}
#else
constexpr auto RunNative = RunWidened;  // never chosen
#endif

void RunBlock(const HalvesBlock& g) {
  const BlockPlace block = {g.c, g.ldc, g.row_count, g.first_row, g.first_column};
  for (int64_t p = g.first_panel; p < g.last_panel; ++p)
    (g.native ? RunNative : RunWidened)(g, block, p);
}

void RoundRow(const float* x, int64_t count, bool native, char* out) {
  auto* const floats = reinterpret_cast<float*>(out);
  int64_t i = 0;
  const auto store = [&](V v, int lanes) __attribute__((always_inline)) {
    if (!native) return StoreN(floats + i, (V)Rounded(v), lanes);
    const H halves = Halves(v);
    __builtin_memcpy(out + 2 * i, &halves, static_cast<size_t>(2 * lanes));
  };
  for (; i + kW <= count; i += kW) store(Load(x + i), kW);
  if (i < count) store(LoadN(x + i, static_cast<int>(count - i)), static_cast<int>(count - i));
}

// Both rows of a word lie in each vector; natively one row of the panel lies before the other.
void PackWords(const HalvesPanel& p) {
  const float* from = p.rows;
  auto* to = reinterpret_cast<uint16_t*>(p.words);
  const int64_t vector = p.native ? kW : 2 * kW, row = p.native ? p.width : kW;
  const V zero = {};
  for (int64_t s = 0; s < p.segments; ++s, from += p.length * p.width)
    for (int64_t i = 0; i < p.length; i += 2, to += 2 * p.width)
      for (int64_t j = 0; j < p.width; j += kW) {
        const float* at = from + i * p.width + j;
        uint16_t* word = to + j / kW * vector;
        *reinterpret_cast<HUnaligned*>(word) = Halves(Load(at));
        *reinterpret_cast<HUnaligned*>(word + row) =
            Halves(i + 1 < p.length ? Load(at + p.width) : zero);
      }
}

}  // namespace

extern const HalvesTable kFp16Table = {RunBlock, RoundRow, PackWords};

}  // namespace paddle::lite::math::LITE_ISA
