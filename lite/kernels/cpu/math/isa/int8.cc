#include "lite/kernels/cpu/math/isa/in_registers.h"
#include "lite/kernels/cpu/math/isa/steps.h"
#include "lite/kernels/cpu/math/isa_tables.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

struct Int8Tile {
  const char* const* rows;
  const int64_t* offsets;
  int64_t segments, words;
  const int8_t* b;
  const int32_t* start;
  const float *scales, *bias;  // whole vectors
  float* out;
  int64_t ldout;
  int lanes;  // of the last vector of `out`
  Finish finish;
  float p0, p1, p2;
};

typedef int32_t VIUnaligned __attribute__((vector_size(kW * 4), aligned(1), may_alias));
typedef int32_t WordUnaligned __attribute__((aligned(1), may_alias));

LITE_INLINE VI LoadInts(const void* p) { return *static_cast<const VIUnaligned*>(p); }
LITE_INLINE VI SplatWord(const void* p) { return SplatInt(*static_cast<const WordUnaligned*>(p)); }
LITE_INLINE V ToFloats(VI x) { return __builtin_convertvector(x, V); }

// Words of two int16: on every machine.
namespace pairs {
#define LITE_INT8_TARGET

LITE_INLINE VI Dot(VI sum, VI a, VI b) {
#if defined(__AVX512F__)
  return sum + (VI)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
  return sum + (VI)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__x86_64__)
  return sum + (VI)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
  return sum + (a << 16 >> 16) * (b << 16 >> 16) + (a >> 16) * (b >> 16);
#endif
}

#include "int8_tiles.inc"
#undef LITE_INT8_TARGET
}  // namespace pairs

// Words of four bytes, the left-hand ones without sign.
#if defined(__AVX2__)
namespace quads {
#if defined(__AVX512F__)
#define LITE_INT8_TARGET __attribute__((target("avx512vnni")))
#else
#define LITE_INT8_TARGET __attribute__((target("avxvnni")))
#endif

LITE_INT8_TARGET LITE_INLINE VI Dot(VI sum, VI a, VI b) {
#if defined(__AVX512F__)
  return (VI)_mm512_dpbusd_epi32((__m512i)sum, (__m512i)a, (__m512i)b);
#else
  return (VI)_mm256_dpbusd_avx_epi32((__m256i)sum, (__m256i)a, (__m256i)b);
#endif
}

#include "int8_tiles.inc"
#undef LITE_INT8_TARGET
}  // namespace quads
#else
namespace quads = pairs;  // never chosen
#endif

using pairs::kTileRows;
constexpr int kPanelVectors = 2;  // as GemmTable's, whose panels these are
constexpr int kLastPanelVectors = 3;
constexpr int kMostRows = 12;

class PanelRun {
 public:
  PanelRun(const Int8Block& g, int64_t index) : g_(g) {
    const int64_t total = (g.columns + kW - 1) / kW;
    const int64_t panels = total < kPanelVectors ? 1 : total / kPanelVectors;
    vectors_ = static_cast<int>(index == panels - 1 ? total - kPanelVectors * (panels - 1)
                                                    : kPanelVectors);
    first_column_ = index * kPanelVectors * kW;
    columns_ = g.columns - first_column_;
    if (columns_ > vectors_ * kW) columns_ = vectors_ * kW;
    const Epilogue& epilogue = *g.epilogue;
    act_in_registers_ = InRegisters(epilogue.act, &act_);
    steps_ = epilogue.step_count > 0 || !act_in_registers_;
    for (int64_t j = 0; j < vectors_ * kW; ++j) {
      const bool used = epilogue.bias != nullptr && j < columns_;
      bias_[j] = used ? epilogue.bias[first_column_ + j] : 0;
    }
  }

  void Run() {
    Int8Tile t;
    t.offsets = g_.offsets;
    t.segments = g_.segments;
    t.words = g_.words;
    t.b = g_.b + first_column_ * g_.segments * g_.words * 4;
    t.start = g_.start + first_column_;
    t.scales = g_.scales + first_column_;
    t.bias = bias_;
    t.lanes = static_cast<int>(columns_ - (vectors_ - 1) * kW);
    t.finish = act_.finish;
    t.p0 = act_.p0;
    t.p1 = act_.p1;
    t.p2 = act_.p2;
    const int most = kTileRows[vectors_];
    const int64_t tiles = (g_.row_count + most - 1) / most;
    const int64_t base = g_.row_count / tiles, extra = g_.row_count % tiles;
    int64_t row = 0;
    for (int64_t i = 0; i < tiles; ++i) {
      const int64_t count = base + (i < extra ? 1 : 0);
      RunTile(&t, row, static_cast<int>(count));
      row += count;
    }
  }

 private:
  void RunTile(Int8Tile* t, int64_t row, int count) {
    float* const c = g_.c + row * g_.ldc + first_column_;
    alignas(64) float buffer[kMostRows * kPanelVectors * kW];
    t->rows = g_.rows + row;
    t->out = steps_ ? buffer : c;
    t->ldout = steps_ ? vectors_ * kW : g_.ldc;
    (g_.quads ? quads::kTiles : pairs::kTiles)[vectors_][count](*t);
    if (steps_) RunSteps(c, buffer, row, count);
  }

  void RunSteps(float* c, float* buffer, int64_t row, int count) {
    const Epilogue& e = *g_.epilogue;
    const int64_t width = vectors_ * kW;
    if (!act_in_registers_) {
      EpilogueStep act;
      act.act = e.act;
      float* y = e.step_count > 0 ? buffer : c;
      LITE_ISA::RunSteps(count, columns_, buffer, width, y, e.step_count > 0 ? width : g_.ldc, &act,
                         1, 0, 0, 0);
      if (e.step_count == 0) return;
    }
    LITE_ISA::RunSteps(count, columns_, buffer, width, c, g_.ldc, e.steps, e.step_count,
                       e.rows_per_image, g_.first_row + row, g_.first_column + first_column_);
  }

  const Int8Block& g_;
  int vectors_;
  int64_t first_column_, columns_;
  ActParameters act_;
  bool act_in_registers_, steps_;
  alignas(64) float bias_[kLastPanelVectors * kW];
};

void RunBlock(const Int8Block& g) {
  for (int64_t p = g.first_panel; p < g.last_panel; ++p) PanelRun(g, p).Run();
}

// Clipped first: then the rounding cannot leave the range, nor the conversion that of int32.
template <bool kTiesToEven>
LITE_INLINE VI RoundToSteps(V x, V factor, V lowest, V highest) {
  const V v = AtMost(x * factor >= lowest ? x * factor : lowest, highest);  // NaN: the lowest
  if (kTiesToEven) {
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
#else
  for (int i = 0; i < kW; ++i) out[i] = static_cast<int16_t>(v[i]);
#endif
}

LITE_INLINE void StoreQuads(uint8_t* out, VI v) {
  v += SplatInt(128);
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

template <bool kTiesToEven, bool kQuads>
void Round(const float* x, int64_t count, const Int8Rounding& how, char* out) {
  const V factor = Splat(how.factor), lowest = Splat(how.lowest), highest = Splat(how.highest);
  const auto store = [](char* to, VI v) __attribute__((always_inline)) {
    if (kQuads)
      StoreQuads(reinterpret_cast<uint8_t*>(to), v);
    else
      StorePairs(reinterpret_cast<int16_t*>(to), v);
  };
  constexpr int kBytes = kQuads ? 1 : 2;
  int64_t i = 0;
  for (; i + kW <= count; i += kW)
    store(out + i * kBytes, RoundToSteps<kTiesToEven>(Load(x + i), factor, lowest, highest));
  if (i == count) return;
  alignas(64) char rest[kW * 2];
  const V last = LoadN(x + i, static_cast<int>(count - i));
  store(rest, RoundToSteps<kTiesToEven>(last, factor, lowest, highest));
  __builtin_memcpy(out + i * kBytes, rest, static_cast<size_t>((count - i) * kBytes));
}

void RoundRow(const float* x, int64_t count, const Int8Rounding& how, bool quads, char* out) {
  if (how.ties_to_even)
    (quads ? Round<true, true> : Round<true, false>)(x, count, how, out);
  else
    (quads ? Round<false, true> : Round<false, false>)(x, count, how, out);
}

template <bool kTiesToEven, bool kDequantize>
void RoundAll(const float* x, int64_t count, const Int8Rounding& how, float scale, float bound,
              float* out) {
  const V factor = Splat(how.factor), lowest = Splat(how.lowest), highest = Splat(how.highest);
  const V numerator = Splat(scale), denominator = Splat(bound);
  const auto one = [&](V v) __attribute__((always_inline)) {
    V steps = ToFloats(RoundToSteps<kTiesToEven>(v, factor, lowest, highest));
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
  if (how.ties_to_even)
    (bound != 0 ? RoundAll<true, true> : RoundAll<true, false>)(x, count, how, scale, bound, out);
  else
    (bound != 0 ? RoundAll<false, true> : RoundAll<false, false>)(x, count, how, scale, bound, out);
}

}  // namespace

extern const Int8Table kInt8Table = {kTileRows[kPanelVectors], RunBlock, RoundRow, RoundReals};

}  // namespace paddle::lite::math::LITE_ISA
