#include "lite/kernels/cpu/math/byte_groups.h"

#include "lite/kernels/cpu/math/isa/integer_groups.h"
#include "lite/kernels/cpu/math/isa/reduce_lanes.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

// Less than this makes no scale that has an inverse.
constexpr float kLeastScale = 1.2e-38f;

void Round(const float* x, int64_t count, const IntegerGroups& groups, int8_t* bytes, float* scale,
           float* sum) {
  V most = {}, not_finite = {};
  for (int64_t i = 0; i < count; i += kW) {
    const V v = count - i >= kW ? Load(x + i) : LoadN(x + i, static_cast<int>(count - i));
    most = Max(most, Max(v, -v));
    not_finite = not_finite + v * Splat(0.0f);
  }
  const float found = MaxLane(most) / 127.0f;
  const float inverse = found > kLeastScale ? 1.0f / found : 0.0f;
  VI total = {};
  for (int64_t i = 0; i < groups.rows; i += kW) {
    const int64_t lanes = count - i;
    const V v = lanes >= kW ? Load(x + i) : lanes > 0 ? LoadN(x + i, static_cast<int>(lanes)) : V{};
    const VI nearest = NearestInts(v * Splat(inverse));
    total += nearest;
    int32_t integers[kW];
    std::memcpy(integers, &nearest, sizeof(integers));
    const int64_t end = groups.rows - i < kW ? groups.rows - i : kW;
    for (int64_t j = 0; j < end; ++j)
      bytes[PlaceInWord(i + j, groups.bits)] = static_cast<int8_t>(integers[j]);
  }
  *scale = (inverse > 0 ? found : 0.0f) + SumLanes(not_finite);
  *sum = SumLanes(__builtin_convertvector(total, V));
}

#if defined(__AVX2__) || defined(__aarch64__)
LITE_INLINE VI SplatBytes(const int8_t* p) {
  int32_t word;
  std::memcpy(&word, p, sizeof(word));
  return SplatInt(word);
}

// Sums of so many rows of A stay in 16 bits: 32 * 15 * 127 is less than 2^15.
constexpr int64_t kRowsIn16Bits = 32;
#endif

#if defined(__AVX2__)
LITE_INLINE VI PairProducts(VI bytes, VI signed_bytes) {
#if defined(__AVX512F__)
  return (VI)_mm512_maddubs_epi16((__m512i)bytes, (__m512i)signed_bytes);
#else
  return (VI)_mm256_maddubs_epi16((__m256i)bytes, (__m256i)signed_bytes);
#endif
}
typedef int16_t Words16 __attribute__((vector_size(kW * 4)));
LITE_INLINE VI PairSums(Words16 words, int16_t factor) {
  const Words16 factors = Words16{} + factor;
#if defined(__AVX512F__)
  return (VI)_mm512_madd_epi16((__m512i)words, (__m512i)factors);
#else
  return (VI)_mm256_madd_epi16((__m256i)words, (__m256i)factors);
#endif
}

namespace in_16_bits {
#define LITE_DOT_TARGET
// Halves of bytes: those of words of 4 bits are other rows, those of 8 bits more of the same.
template <int bits, int rows, int vectors>
struct Sums {
  static constexpr int kParts = bits == 8 ? 2 : 1;
  Words16 parts[kParts][rows][vectors];
  VI whole[rows][vectors];
};

template <int bits, int rows, int vectors>
LITE_INLINE void Flush(Sums<bits, rows, vectors>* s) {
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 3
    for (int v = 0; v < vectors; ++v) {
      s->whole[r][v] += PairSums(s->parts[0][r][v], 1);
      s->parts[0][r][v] = Words16{};
      if constexpr (bits == 8) {
        s->whole[r][v] += PairSums(s->parts[1][r][v], 16);
        s->parts[1][r][v] = Words16{};
      }
    }
}

template <int bits, int rows, int vectors>
LITE_INLINE void AddWord(const int32_t* words, const int8_t* const (&x)[rows], int64_t at,
                         Sums<bits, rows, vectors>* s) {
  VI low[vectors], high[vectors];
#pragma GCC unroll 3
  for (int v = 0; v < vectors; ++v) {
    const VI word = LoadWords(words + v * kW);
    low[v] = word & SplatInt(0x0f0f0f0f);
    high[v] = word >> 4 & SplatInt(0x0f0f0f0f);
  }
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) {
    const VI first = SplatBytes(x[r] + at);
    VI second = first;
    if constexpr (bits == 4) second = SplatBytes(x[r] + at + 4);
#pragma GCC unroll 3
    for (int v = 0; v < vectors; ++v) {
      s->parts[0][r][v] += (Words16)PairProducts(low[v], first);
      s->parts[bits == 8 ? 1 : 0][r][v] += (Words16)PairProducts(high[v], second);
    }
  }
}
constexpr int kMostRowsOf4 = 4, kMostRowsOf8 = 2;
constexpr float kLess = 0;
#include "byte_groups_tile.inc"
#undef LITE_DOT_TARGET
}  // namespace in_16_bits
#endif

#if defined(__AVX2__) || defined(__aarch64__)
namespace dots {
#if defined(__aarch64__)
#define LITE_DOT_TARGET LITE_TARGET("arch=armv8.2-a+dotprod")
constexpr float kLess = 128;  // than they are are integers of 8 bits: these dot products have signs
#elif defined(__AVX512F__)
#define LITE_DOT_TARGET LITE_TARGET("avx512vnni")
constexpr float kLess = 0;
#else
#define LITE_DOT_TARGET LITE_TARGET("avxvnni")
constexpr float kLess = 0;
#endif
LITE_DOT_TARGET LITE_INLINE void Dot(VI* sum, VI bytes, VI signed_bytes) {
#if defined(__aarch64__)
  *sum = (VI)vdotq_s32((int32x4_t)*sum, (int8x16_t)bytes, (int8x16_t)signed_bytes);
#elif defined(__AVX512F__)
  *sum = (VI)_mm512_dpbusd_epi32((__m512i)*sum, (__m512i)bytes, (__m512i)signed_bytes);
#else
  *sum = (VI)_mm256_dpbusd_avx_epi32((__m256i)*sum, (__m256i)bytes, (__m256i)signed_bytes);
#endif
}

template <int bits, int rows, int vectors>
struct Sums {
  VI whole[rows][vectors];
};

template <int bits, int rows, int vectors>
LITE_INLINE void Flush(Sums<bits, rows, vectors>*) {}

template <int bits, int rows, int vectors>
LITE_DOT_TARGET LITE_INLINE void AddWord(const int32_t* words, const int8_t* const (&x)[rows],
                                         int64_t at, Sums<bits, rows, vectors>* s) {
#pragma GCC unroll 3
  for (int v = 0; v < vectors; ++v) {
    const VI word = LoadWords(words + v * kW);
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r) {
      if constexpr (bits == 8) {
        const VI bytes = kLess == 0 ? word : word ^ SplatInt(static_cast<int32_t>(0x80808080));
        Dot(&s->whole[r][v], bytes, SplatBytes(x[r] + at));
      } else {
        Dot(&s->whole[r][v], word & SplatInt(0x0f0f0f0f), SplatBytes(x[r] + at));
        Dot(&s->whole[r][v], word >> 4 & SplatInt(0x0f0f0f0f), SplatBytes(x[r] + at + 4));
      }
    }
  }
}
constexpr int kMostRowsOf4 = 4, kMostRowsOf8 = 4;
#include "byte_groups_tile.inc"
#undef LITE_DOT_TARGET
}  // namespace dots
#endif

#if defined(__AVX2__)
void Run(const ByteGroupsBlock& g) {
  if (HasByteDot()) return dots::RunBlock(g);
  in_16_bits::RunBlock(g);
}
constexpr ByteGroupsTable kTable = {Round, Run, false};
#elif defined(__aarch64__)
constexpr ByteGroupsTable kTable = {Round, dots::RunBlock, true};
#else
constexpr ByteGroupsTable kTable = {Round, nullptr, true};
#endif

}  // namespace

extern const ByteGroupsTable kByteGroupsTable = kTable;

}  // namespace paddle::lite::math::LITE_ISA
