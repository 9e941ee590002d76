#include "lite/kernels/cpu/math/isa/finish_sums.h"
#include "lite/kernels/cpu/math/isa/halves_tile.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

typedef uint16_t H __attribute__((vector_size(kW * 2)));
typedef uint16_t HUnaligned __attribute__((vector_size(kW * 2), aligned(2), may_alias));

#if defined(__AVX2__)
#define LITE_TILE_TARGET LITE_TARGET("f16c")
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
using namespace float_left;

template <int phase>
LITE_TILE_TARGET LITE_INLINE V RightWord(const char* b) {
  return Widened(b + phase * 2 * kW);
}

#include "rounded_tiles.inc"
}  // namespace widened

void RunWidened(const HalvesBlock& g, const BlockPlace& block, int64_t index) {
  RunRoundedPanel(g, block, index, widened::kTiles, widened::kTileRows);
}

#if defined(__aarch64__)
#include "neon_tiles.inc"

// A tile whose products are added up in fp16, and those sums in floats.
struct HalvesTile : SumsTile {
  NeonTile product;
  void (*multiply)(NeonTile*);
};

void RunHalvesTile(const HalvesTile& t) {
  alignas(16) float sums[kMostRows * kPanelVectors * kW] = {};
  NeonTile product = t.product;
  product.out = sums;
  t.multiply(&product);
  SumsTile ended = t;
  ended.in = sums;
  ended.ldin = t.vectors * kW;
  FinishRows(ended);
}

void RunNative(const HalvesBlock& g, const BlockPlace& block, int64_t index) {
  const PanelPlace panel(g.columns, index);
  const PanelFinish finish(*g.epilogue, block, panel);
  HalvesTile t;
  t.product = {};
  t.product.offsets = g.offsets;
  t.product.segments = g.segments;
  t.product.length = g.length / 2;
  t.product.tail = g.length % 2;
  t.product.b = PanelWords(g, panel);
  finish.Set(&t);
  t.vectors = panel.vectors;
  for (int64_t row = 0; row < g.row_count; row += t.rows) {
    const int64_t most = kHalfRows[t.vectors];
    t.rows = static_cast<int>(g.row_count - row < most ? g.row_count - row : most);
    t.product.rows = reinterpret_cast<const void* const*>(g.rows + row);
    t.multiply = kHalves[t.vectors][t.rows];
    finish.Run(RunHalvesTile, row, t.rows, &t);
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
