#include <type_traits>

#include "lite/kernels/cpu/math/isa/rounded_tile.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

#if defined(__aarch64__)
#include "neon_tiles.inc"
constexpr auto& kTileRows = kWordRows;

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
  RunTiles(g.quads ? kBytes[v] : kShorts[v], kTileRows[v], g.rows, g.row_count, finish, &t);
}
#else
// What both kinds of words share, for rounded_tiles.inc.
typedef VI Sum;
typedef VI Left;
typedef VI Right;
constexpr int kLeftBytes = 4, kPhases = 1;
constexpr bool kTail = false;

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
LITE_INLINE V Reals(VI sum, const RoundedTile& t, int v) {
  return ToFloats(sum) * Load(t.scales + v * kW);
}

// Words of two int16: on every machine.
namespace pairs {
#define LITE_TILE_TARGET

LITE_INLINE void Add(VI* sum, VI a, VI b) {
#if defined(__AVX512F__)
  *sum += (VI)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
  *sum += (VI)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__x86_64__)
  *sum += (VI)_mm_madd_epi16((__m128i)a, (__m128i)b);
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
#if defined(__AVX512F__)
#define LITE_TILE_TARGET __attribute__((target("avx512vnni")))
#else
#define LITE_TILE_TARGET __attribute__((target("avxvnni")))
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
namespace quads = pairs;  // never chosen
#endif

using pairs::kTileRows;

void RunPanel(const Int8Block& g, const BlockPlace& block, int64_t index) {
  const PanelPlace panel(g.columns, index);
  const PanelFinish finish(*g.epilogue, block, panel);
  RoundedTile t;
  t.offsets = g.offsets;
  t.segments = g.segments;
  t.words = g.words;
  t.tail = false;
  t.b = reinterpret_cast<const char*>(g.b) + panel.first_column * g.segments * g.words * 4;
  t.start = g.start + panel.first_column;
  t.scales = g.scales + panel.first_column;
  finish.Set(&t);
  const int v = panel.vectors;
  RunTiles(g.quads ? quads::kTiles[v] : pairs::kTiles[v], kTileRows[v], g.rows, g.row_count, finish,
           &t);
}
#endif

void RunBlock(const Int8Block& g) {
  const BlockPlace block = {g.c, g.ldc, g.row_count, g.first_row, g.first_column};
  for (int64_t p = g.first_panel; p < g.last_panel; ++p) RunPanel(g, block, p);
}

// Which way a row is rounded.
enum class Ties { kAway, kToEven, kToEvenDivided };

// Clipped first: then the rounding cannot leave the range, nor the conversion that of int32.
template <Ties kTies>
LITE_INLINE VI RoundToSteps(V x, V factor, V lowest, V highest) {
  const V steps = kTies == Ties::kToEvenDivided ? x / factor : x * factor;
  const V v = AtMost(steps >= lowest ? steps : lowest, highest);  // NaN: the lowest
  if (kTies != Ties::kAway) {
    // Numbers of this size have no fraction: adding rounds as the addition does.
    const V large = Splat(12582912.0f);
    return __builtin_convertvector(v + large - large, VI);
  }
  const VI whole = __builtin_convertvector(v, VI);
  const V rest = v - ToFloats(whole);
  return whole - (rest >= Splat(0.5f)) + (rest <= Splat(-0.5f));
}

LITE_INLINE void StorePairs(int16_t* out, VI v) {
#if defined(__AVX512F__)
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                      _mm512_maskz_cvtepi32_epi16(0xffff, (__m512i)v));
#elif defined(__AVX2__)
  const __m128i low = _mm256_castsi256_si128((__m256i)v);
  const __m128i high = _mm256_extracti128_si256((__m256i)v, 1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_packs_epi32(low, high));
#elif defined(__aarch64__)
  vst1_s16(out, vmovn_s32((int32x4_t)v));
#else
  for (int i = 0; i < kW; ++i) out[i] = static_cast<int16_t>(v[i]);
#endif
}

LITE_INLINE void StoreQuads(uint8_t* out, VI v, int zero) {
#if defined(__aarch64__)
  v += SplatInt(zero - 128);
  const int8x8_t bytes = vmovn_s16(vcombine_s16(vmovn_s32((int32x4_t)v), vdup_n_s16(0)));
  const int32_t word = vget_lane_s32(vreinterpret_s32_s8(bytes), 0);
  __builtin_memcpy(out, &word, sizeof(word));
  return;
#endif
  v += SplatInt(zero);
#if defined(__AVX512F__)
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm512_maskz_cvtepi32_epi8(0xffff, (__m512i)v));
#elif defined(__AVX2__)
  const __m128i low = _mm256_castsi256_si128((__m256i)v);
  const __m128i words = _mm_packs_epi32(low, _mm256_extracti128_si256((__m256i)v, 1));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_packus_epi16(words, words));
#else
  for (int i = 0; i < kW; ++i) out[i] = static_cast<uint8_t>(v[i]);
#endif
}

template <Ties kTies, bool kQuads>
void Round(const float* x, int64_t count, const Int8Rounding& how, char* out) {
  const V factor = Splat(how.factor), lowest = Splat(how.lowest), highest = Splat(how.highest);
  const auto store = [&](char* to, VI v) __attribute__((always_inline)) {
    if (kQuads)
      StoreQuads(reinterpret_cast<uint8_t*>(to), v, how.zero);
    else
      StorePairs(reinterpret_cast<int16_t*>(to), v);
  };
  constexpr int kBytes = kQuads ? 1 : 2;
  int64_t i = 0;
  for (; i + kW <= count; i += kW)
    store(out + i * kBytes, RoundToSteps<kTies>(Load(x + i), factor, lowest, highest));
  if (i == count) return;
  alignas(64) char rest[kW * 2];
  const V last = LoadN(x + i, static_cast<int>(count - i));
  store(rest, RoundToSteps<kTies>(last, factor, lowest, highest));
  __builtin_memcpy(out + i * kBytes, rest, static_cast<size_t>((count - i) * kBytes));
}

// Calls run with the way as a constant.
template <typename Run>
void WithTies(const Int8Rounding& how, Run run) {
  if (how.divides) return run(std::integral_constant<Ties, Ties::kToEvenDivided>());
  if (how.ties_to_even) return run(std::integral_constant<Ties, Ties::kToEven>());
  run(std::integral_constant<Ties, Ties::kAway>());
}

void RoundRow(const float* x, int64_t count, const Int8Rounding& how, bool quads, char* out) {
  WithTies(how, [&](auto ties) {
    (quads ? Round<decltype(ties)::value, true> : Round<decltype(ties)::value, false>)(x, count,
                                                                                       how, out);
  });
}

template <Ties kTies, bool kDequantize>
void RoundAll(const float* x, int64_t count, const Int8Rounding& how, float scale, float bound,
              float* out) {
  const V factor = Splat(how.factor), lowest = Splat(how.lowest), highest = Splat(how.highest);
  const V numerator = Splat(scale), denominator = Splat(bound);
  const auto one = [&](V v) __attribute__((always_inline)) {
    V steps = ToFloats(RoundToSteps<kTies>(v, factor, lowest, highest));
    if (kDequantize) steps = steps * numerator / denominator;
    return v == v ? steps : v;
  };
  int64_t i = 0;
  for (; i + kW <= count; i += kW) Store(out + i, one(Load(x + i)));
  const int rest = static_cast<int>(count - i);
  if (rest > 0) StoreN(out + i, one(LoadN(x + i, rest)), rest);
}

void RoundReals(const float* x, int64_t count, const Int8Rounding& how, float scale, float bound,
                float* out) {
  WithTies(how, [&](auto ties) {
    constexpr Ties kTies = decltype(ties)::value;
    (bound != 0 ? RoundAll<kTies, true> : RoundAll<kTies, false>)(x, count, how, scale, bound, out);
  });
}

}  // namespace

extern const Int8Table kInt8Table = {kTileRows[kPanelVectors], RunBlock, RoundRow, RoundReals};

}  // namespace paddle::lite::math::LITE_ISA
