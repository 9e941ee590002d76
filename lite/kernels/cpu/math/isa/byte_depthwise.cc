#include "lite/kernels/cpu/math/byte_depthwise.h"

#include "lite/kernels/cpu/math/isa/byte_steps.h"
#include "lite/kernels/cpu/math/isa/depthwise_end.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

#if defined(__AVX2__)
#if defined(__AVX512F__)
#define LITE_WITH_DOT __attribute__((target("avx512vnni")))
// Pixels of two rows or one whose sums are in registers.
constexpr int64_t kWidest = 64, kSums = 4;
#else
#define LITE_WITH_DOT __attribute__((target("avxvnni")))
constexpr int64_t kWidest = 32, kSums = 2;
#endif

// Instructions of all widths by one name.
#if defined(__AVX512F__)
#define LITE_OF_64(name, instruction) \
  LITE_INLINE __m512i name(__m512i a, __m512i b) { return _mm512_##instruction(a, b); }
#else
#define LITE_OF_64(name, instruction)
#endif
#define LITE_OF_WIDTHS(name, instruction)                                               \
  LITE_OF_64(name, instruction)                                                         \
  LITE_INLINE __m256i name(__m256i a, __m256i b) { return _mm256_##instruction(a, b); } \
  LITE_INLINE __m128i name(__m128i a, __m128i b) { return _mm_##instruction(a, b); }
LITE_OF_WIDTHS(LowBytes, unpacklo_epi8)
LITE_OF_WIDTHS(HighBytes, unpackhi_epi8)
LITE_OF_WIDTHS(LowWords, unpacklo_epi16)
LITE_OF_WIDTHS(HighWords, unpackhi_epi16)
LITE_OF_WIDTHS(ToWords, packs_epi32)
LITE_OF_WIDTHS(SumOfWords, adds_epi16)
LITE_OF_WIDTHS(ToBytes, packus_epi16)
LITE_OF_WIDTHS(MostBytes, max_epu8)
LITE_OF_WIDTHS(LeastBytes, min_epu8)

#if defined(__AVX512F__)
LITE_WITH_DOT LITE_INLINE __m512i Dot(__m512i sum, __m512i a, __m512i b) {
  return _mm512_dpbusd_epi32(sum, a, b);
}
LITE_WITH_DOT LITE_INLINE __m256i Dot(__m256i sum, __m256i a, __m256i b) {
  return _mm256_dpbusd_epi32(sum, a, b);
}
LITE_WITH_DOT LITE_INLINE __m128i Dot(__m128i sum, __m128i a, __m128i b) {
  return _mm_dpbusd_epi32(sum, a, b);
}
LITE_INLINE __m512 Fused(__m512 a, __m512 b, __m512 c) { return _mm512_fmadd_ps(a, b, c); }
LITE_INLINE __m512i Nearest(__m512 x) { return _mm512_maskz_cvtps_epi32(0xffff, x); }
#else
LITE_WITH_DOT LITE_INLINE __m256i Dot(__m256i sum, __m256i a, __m256i b) {
  return _mm256_dpbusd_avx_epi32(sum, a, b);
}
LITE_WITH_DOT LITE_INLINE __m128i Dot(__m128i sum, __m128i a, __m128i b) {
  return _mm_dpbusd_avx_epi32(sum, a, b);
}
#endif
LITE_INLINE __m256 Fused(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }
LITE_INLINE __m128 Fused(__m128 a, __m128 b, __m128 c) { return _mm_fmadd_ps(a, b, c); }
LITE_INLINE __m256i Nearest(__m256 x) { return _mm256_cvtps_epi32(x); }
LITE_INLINE __m128i Nearest(__m128 x) { return _mm_cvtps_epi32(x); }

// Vectors of so many bytes.
template <int kWidth>
struct Wide {
  typedef long long Bits __attribute__((vector_size(kWidth)));
  typedef int32_t Integers __attribute__((vector_size(kWidth)));
  typedef int16_t Words __attribute__((vector_size(kWidth)));
  typedef uint8_t Bytes __attribute__((vector_size(kWidth)));
  typedef float Reals __attribute__((vector_size(kWidth)));
  typedef Bits Unaligned __attribute__((aligned(1), may_alias));
  typedef Reals RealsUnaligned __attribute__((aligned(4), may_alias));

  LITE_INLINE_MEMBER static Bits Load(const void* p) { return *static_cast<const Unaligned*>(p); }
  LITE_INLINE_MEMBER static void Store(void* p, Bits x) { *static_cast<Unaligned*>(p) = x; }
  LITE_INLINE_MEMBER static Reals LoadReals(const float* p) {
    return *reinterpret_cast<const RealsUnaligned*>(p);
  }
  LITE_INLINE_MEMBER static Bits SplatByte(int byte) {
    return (Bits)(Bytes{} + static_cast<uint8_t>(byte));
  }
};

// Channels of a call that are worked on at once.
struct Part {
  int64_t first_channel;
  const int8_t* weights;
  const int32_t* start;
  const float *scales, *bias;
};

// Columns of the input, with the padding beside it, as words of four rows.
template <int kWidth>
LITE_INLINE void FillColumns(const ByteDepthwiseRows& r, int64_t first_channel) {
  typedef Wide<kWidth> W;
  const auto none = W::SplatByte(r.zero);
  const int64_t columns = (r.ow - 1) * r.sw + (r.kw - 1) * r.dw + 1, column = r.words * 4 * kWidth;
  for (int64_t word = 0; word < r.words; ++word) {
    const uint8_t* row[kWordRows];
    int64_t step[kWordRows];
    for (int i = 0; i < kWordRows; ++i) {
      const uint8_t* const from = r.rows[word * kWordRows + i];
      row[i] = from == nullptr ? reinterpret_cast<const uint8_t*>(&none) : from + first_channel;
      step[i] = from == nullptr ? 0 : r.channels;
    }
    uint8_t* to = r.columns + word * 4 * kWidth;
    for (int64_t ix = -r.pl; ix < columns - r.pl; ++ix, to += column) {
      if (ix < 0 || ix >= r.iw) {
        for (int v = 0; v < 4; ++v) W::Store(to + v * kWidth, none);
        continue;
      }
      const auto a = W::Load(row[0] + ix * step[0]), b = W::Load(row[1] + ix * step[1]);
      const auto c = W::Load(row[2] + ix * step[2]), d = W::Load(row[3] + ix * step[3]);
      const auto low_ab = LowBytes(a, b), high_ab = HighBytes(a, b);
      const auto low_cd = LowBytes(c, d), high_cd = HighBytes(c, d);
      W::Store(to, LowWords(low_ab, low_cd));
      W::Store(to + kWidth, HighWords(low_ab, low_cd));
      W::Store(to + 2 * kWidth, LowWords(high_ab, high_cd));
      W::Store(to + 3 * kWidth, HighWords(high_ab, high_cd));
    }
  }
}

// Four vectors of sums to bytes.
template <int kWidth>
struct BytesOfSums {
  typedef Wide<kWidth> W;
  typedef typename W::Reals Reals;
  typedef typename W::Bits Bits;

  LITE_INLINE_MEMBER explicit BytesOfSums(const ByteFinish& how)
      : less(Reals{} - how.division.by),
        inverse(Reals{} + how.division.inverse),
        mend(Reals{} + how.division.mend),
        zero((Bits)(typename W::Words{} + static_cast<int16_t>(how.zero))),
        lowest(W::SplatByte(how.lowest)),
        highest(W::SplatByte(how.highest)) {}

  // As ExactQuotient.
  LITE_INLINE_MEMBER auto Round(Reals x) const {
    const Reals near = x * inverse;
    return Nearest(Fused(Fused(near, less, x), mend, near));
  }
  LITE_INLINE_MEMBER Bits operator()(const Reals (&x)[4]) const {
    const auto low = SumOfWords((Bits)ToWords((Bits)Round(x[0]), (Bits)Round(x[1])), zero);
    const auto high = SumOfWords((Bits)ToWords((Bits)Round(x[2]), (Bits)Round(x[3])), zero);
    return (Bits)LeastBytes(MostBytes((Bits)ToBytes(low, high), lowest), highest);
  }

  Reals less, inverse, mend;
  Bits zero, lowest, highest;
};

// Output pixels from `ox` on, of kRows rows; to bytes or reals.
template <int kWidth, int kRows, int kPixels>
LITE_WITH_DOT LITE_INLINE void RunPixels(const ByteDepthwiseRows& r, const Part& part,
                                         const BytesOfSums<kWidth>& finish, bool to_bytes,
                                         int64_t ox) {
  typedef Wide<kWidth> W;
  typename W::Bits sums[kRows][kPixels][4];
#pragma GCC unroll 4
  for (int row = 0; row < kRows; ++row)
#pragma GCC unroll 4
    for (int p = 0; p < kPixels; ++p)
#pragma GCC unroll 4
      for (int v = 0; v < 4; ++v) sums[row][p][v] = W::Load(part.start + v * (kWidth / 4));
  const int64_t word = 4 * kWidth, column = r.words * word;
  const uint8_t* from = r.columns + ox * r.sw * column;
  const int8_t* w = part.weights;
  for (int64_t kx = 0; kx < r.kw; ++kx, from += r.dw * column)
    for (int64_t i = 0; i < r.words; ++i, w += 2 * word)
#pragma GCC unroll 4
      for (int p = 0; p < kPixels; ++p) {
        const uint8_t* const at = from + p * r.sw * column + i * word;
#pragma GCC unroll 4
        for (int v = 0; v < 4; ++v) {
          const auto x = W::Load(at + v * kWidth);
#pragma GCC unroll 4
          for (int row = 0; row < kRows; ++row)
            sums[row][p][v] = Dot(sums[row][p][v], x, W::Load(w + row * word + v * kWidth));
        }
      }
#pragma GCC unroll 4
  for (int row = 0; row < kRows; ++row)
#pragma GCC unroll 4
    for (int p = 0; p < kPixels; ++p) {
      typename W::Reals reals[4];
#pragma GCC unroll 4
      for (int v = 0; v < 4; ++v) {
        const auto sum =
            __builtin_convertvector((typename W::Integers)sums[row][p][v], typename W::Reals);
        reals[v] = Fused(sum, W::LoadReals(part.scales + v * (kWidth / 4)),
                         W::LoadReals(part.bias + v * (kWidth / 4)));
      }
      const int64_t pixel = row * r.ow + ox + p;
      if (to_bytes) {
        W::Store(r.bytes + pixel * r.y_pixel + part.first_channel, finish(reals));
        continue;
      }
      float* const to = r.reals + pixel * r.channels + part.first_channel;
#pragma GCC unroll 4
      for (int v = 0; v < 4; ++v)
        for (int lane = 0; lane < kWidth / 16; ++lane)
          __builtin_memcpy(to + lane * 16 + v * 4, reinterpret_cast<char*>(&reals[v]) + lane * 16,
                           16);
    }
}

template <int kWidth, int kRows>
LITE_WITH_DOT void RunRow(const ByteDepthwiseRows& r, const Part& part, const ByteFinish* finish) {
  FillColumns<kWidth>(r, part.first_channel);
  const BytesOfSums<kWidth> bytes(finish == nullptr ? ByteFinish() : *finish);
  const bool to_bytes = finish != nullptr;
  constexpr int kPixels = kSums / kRows;
  int64_t ox = 0;
  for (; ox + kPixels <= r.ow; ox += kPixels)
    RunPixels<kWidth, kRows, kPixels>(r, part, bytes, to_bytes, ox);
  for (; ox < r.ow; ++ox) RunPixels<kWidth, kRows, 1>(r, part, bytes, to_bytes, ox);
}

// Whether nothing but a clamp comes between sums and bytes.
bool EndsInBytes(const ByteDepthwiseRows& r, ByteFinish* finish) {
  ActParameters act;
  ByteSteps steps;
  return r.epilogue->rounding != nullptr && InRegisters(r.epilogue->act, &act) &&
         act.finish == kClamp && steps.Fit(*r.epilogue, nullptr) && !steps.rounds_twice() &&
         steps.InTiles(act, finish) &&
         QuotientsFit(r.scales, r.bias, r.numbers, finish->division.by);
}

void Run(const ByteDepthwiseRows& r) {
  constexpr decltype(&RunRow<16, 1>) kRun[3][2] = {{RunRow<16, 1>, RunRow<16, 2>},
                                                   {RunRow<32, 1>, RunRow<32, 2>},
                                                   {RunRow<kWidest, 1>, RunRow<kWidest, 2>}};
  ByteFinish finish;
  const bool bytes = EndsInBytes(r, &finish);
  Part part = {0, r.weights, r.start, r.scales, r.bias};
  for (int64_t at = 0; at < r.channels;) {
    const ByteChannels channels = ByteChannelsAt(at, r.channels, kWidest);
    part.first_channel = channels.first;
    const int width = channels.width == 64 ? 2 : channels.width == 32 ? 1 : 0;
    kRun[width][r.together - 1](r, part, bytes ? &finish : nullptr);
    at = channels.first + channels.width;
    part.weights += r.kw * r.words * 8 * channels.width;
    part.start += channels.width;
    part.scales += channels.width;
    part.bias += channels.width;
  }
  if (bytes) return;
  DepthwisePixels pixels;
  pixels.count = r.together * r.ow, pixels.channels = r.channels, pixels.first_row = r.first_row;
  pixels.y = r.y, pixels.bytes = r.bytes, pixels.y_pixel = r.y_pixel;
  EndPixels(*r.epilogue, false, pixels, r.reals);
}
#else
constexpr int64_t kWidest = 0;
void Run(const ByteDepthwiseRows&) {}
#endif

}  // namespace

extern const ByteDepthwiseTable kByteDepthwiseTable = {kWidest, Run};

}  // namespace paddle::lite::math::LITE_ISA
