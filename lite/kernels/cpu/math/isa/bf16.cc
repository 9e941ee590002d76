#include "lite/kernels/cpu/math/isa/halves_tile.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

// Words of two bf16 on the right, floats that are bf16 on the left: on every machine.
namespace widened {
#define LITE_TILE_TARGET
using namespace float_left;

template <int phase>
LITE_INLINE V RightWord(const char* b) {
  const VI word = LoadInts(b);
  return (V)(phase == 0 ? word << 16 : word & SplatInt(-0x10000));
}

#include "rounded_tiles.inc"
#undef LITE_TILE_TARGET
}  // namespace widened

// Words of two bf16 on both sides.
#if defined(__AVX512F__)
namespace dot {
#define LITE_TILE_TARGET LITE_TARGET("avx512bf16")
typedef VI Left;
typedef VI Right;
constexpr int kLeftBytes = 4, kPhases = 1;
constexpr bool kTail = true, kGivesBytes = false, kExact = false, kExcess = false;

template <int phase>
LITE_INLINE VI LeftWord(const char* a) {
  return SplatWord(a);
}
template <int phase>
LITE_INLINE VI LeftTail(const char* a) {
  return SplatInt(*reinterpret_cast<const uint16_t*>(a));
}
template <int phase>
LITE_INLINE VI RightWord(const char* b) {
  return LoadInts(b);
}
LITE_TILE_TARGET LITE_INLINE void Add(V* sum, VI a, VI b) {
  *sum = _mm512_dpbf16_ps(*sum, (__m512bh)a, (__m512bh)b);
}

#include "rounded_tiles.inc"
#undef LITE_TILE_TARGET
}  // namespace dot
#else
namespace dot = widened;                       // never chosen
#endif

void RunBlock(const HalvesBlock& g) {
  const BlockPlace block = {g.c, g.ldc, g.row_count, g.first_row, g.first_column};
  for (int64_t p = g.first_panel; p < g.last_panel; ++p)
    RunRoundedPanel(g, block, p, g.native ? dot::kTiles : widened::kTiles, widened::kTileRows);
}

// The nearest bf16, ties to even, in the upper half of each float: as the dot product's
// instructions have it, denormals become 0 and NaN stays.
LITE_INLINE VI Rounded(V x) {
  const VI bits = (VI)x, size = bits & SplatInt(0x7fffffff);
  const VI nearest = bits + SplatInt(0x7fff) + ((bits >> 16) & SplatInt(1));
  const VI nan = size > SplatInt(0x7f800000), tiny = size < SplatInt(0x00800000);
  const VI number = (nearest & ~tiny) | (bits & tiny & SplatInt(-0x7fffffff - 1));
  return ((number & ~nan) | ((bits | SplatInt(0x00400000)) & nan)) & SplatInt(-0x10000);
}

void RoundToFloats(const float* x, int64_t count, char* out) {
  auto* to = reinterpret_cast<float*>(out);
  int64_t i = 0;
  for (; i + kW <= count; i += kW) Store(to + i, (V)Rounded(Load(x + i)));
  const int rest = static_cast<int>(count - i);
  if (rest > 0) StoreN(to + i, (V)Rounded(LoadN(x + i, rest)), rest);
}

#if defined(__AVX512F__)
LITE_TARGET("avx512bf16") void RoundToHalves(const float* x, int64_t count, char* out) {
  int64_t i = 0;
  for (; i + kW <= count; i += kW)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + 2 * i),
                        (__m256i)_mm512_cvtneps_pbh(Load(x + i)));
  const int rest = static_cast<int>(count - i);
  if (rest == 0) return;
  const auto mask = static_cast<__mmask16>((1u << rest) - 1);
  _mm256_mask_storeu_epi16(out + 2 * i, mask, (__m256i)_mm512_cvtneps_pbh(LoadN(x + i, rest)));
}
#else
constexpr auto RoundToHalves = RoundToFloats;  // never chosen
#endif

void RoundRow(const float* x, int64_t count, bool native, char* out) {
  (native ? RoundToHalves : RoundToFloats)(x, count, out);
}

void PackWords(const HalvesPanel& p) {
  const float* from = p.rows;
  uint32_t* to = p.words;
  const V zero = {};
  for (int64_t s = 0; s < p.segments; ++s, from += p.length * p.width)
    for (int64_t i = 0; i < p.length; i += 2)
      for (int64_t j = 0; j < p.width; j += kW, to += kW) {
        const float* at = from + i * p.width + j;
        const VI low = Rounded(Load(at));
        const VI high = Rounded(i + 1 < p.length ? Load(at + p.width) : zero);
        const VI word = ((low >> 16) & SplatInt(0xffff)) | high;
        *reinterpret_cast<VIUnaligned*>(to) = word;
      }
}

}  // namespace

extern const HalvesTable kBf16Table = {RunBlock, RoundRow, PackWords};

}  // namespace paddle::lite::math::LITE_ISA
