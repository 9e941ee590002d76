#include "lite/kernels/cpu/math/byte_depthwise.h"

#include "lite/kernels/cpu/math/isa/byte_steps.h"
#include "lite/kernels/cpu/math/isa/depthwise_end.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

#if defined(__AVX2__)
#if defined(__AVX512F__)
#define LITE_WITH_DOT LITE_TARGET("avx512vnni")
// Pixels of a row, of two of them, and vectors of the four, whose sums are in registers.
constexpr int64_t kWidest = 64, kOfOne = 4, kOfTwo = 2, kVectors = 4;
#else
#define LITE_WITH_DOT LITE_TARGET("avxvnni")
constexpr int64_t kWidest = 32, kOfOne = 4, kOfTwo = 4, kVectors = 1;
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
LITE_OF_WIDTHS(Sum, add_epi32)
LITE_OF_WIDTHS(SumOfWords, adds_epi16)
LITE_OF_WIDTHS(Products, madd_epi16)
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

// Pixels of a word's rows, as words.
template <int kWidth, bool kQuads, typename Bits>
LITE_INLINE void StoreWords(const Bits* rows, uint8_t* to) {
  typedef Wide<kWidth> W;
  const auto low = LowBytes(rows[0], rows[1]), high = HighBytes(rows[0], rows[1]);
  const auto low_more = kQuads ? LowBytes(rows[2], rows[3]) : Bits{};
  const auto high_more = kQuads ? HighBytes(rows[2], rows[3]) : Bits{};
  W::Store(to, kQuads ? LowWords(low, low_more) : LowBytes(low, low_more));
  W::Store(to + kWidth, kQuads ? HighWords(low, low_more) : HighBytes(low, low_more));
  W::Store(to + 2 * kWidth, kQuads ? LowWords(high, high_more) : LowBytes(high, high_more));
  W::Store(to + 3 * kWidth, kQuads ? HighWords(high, high_more) : HighBytes(high, high_more));
}

// Columns of the input, with the padding beside it, as words of some rows.
template <int kWidth, bool kQuads>
LITE_INLINE void FillColumns(const ByteDepthwiseRows& r, int64_t first_channel) {
  typedef Wide<kWidth> W;
  constexpr int kRows = RowsOfWord(kQuads);
  const auto none = W::SplatByte(r.zero);
  typename W::Bits nothing[kRows], pixel[kRows];
  for (auto& row : nothing) row = none;
  const int64_t columns = (r.ow - 1) * r.sw + (r.kw - 1) * r.dw + 1, column = r.words * 4 * kWidth;
  for (int64_t word = 0; word < r.words; ++word) {
    const uint8_t* row[kRows];
    int64_t step[kRows];
    for (int i = 0; i < kRows; ++i) {
      const uint8_t* const from = r.rows[word * kRows + i];
      row[i] = from == nullptr ? reinterpret_cast<const uint8_t*>(&none) : from + first_channel;
      step[i] = from == nullptr ? 0 : r.channels;
    }
    uint8_t* to = r.columns + word * 4 * kWidth;
    for (int64_t ix = -r.pl; ix < columns - r.pl; ++ix, to += column) {
      const bool inside = ix >= 0 && ix < r.iw;
      for (int i = 0; inside && i < kRows; ++i) pixel[i] = W::Load(row[i] + ix * step[i]);
      StoreWords<kWidth, kQuads>(inside ? pixel : nothing, to);
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

// Words of four bytes, and of two int16.
namespace quads {
constexpr bool kQuads = true;
#define LITE_DEPTHWISE_TARGET LITE_WITH_DOT
template <typename Bits>
LITE_WITH_DOT LITE_INLINE Bits Add(Bits sum, Bits a, Bits b) {
  return Dot(sum, a, b);
}
#include "lite/kernels/cpu/math/isa/byte_depthwise_rows.inc"
#undef LITE_DEPTHWISE_TARGET
}  // namespace quads

namespace pairs {
constexpr bool kQuads = false;
#define LITE_DEPTHWISE_TARGET
template <typename Bits>
LITE_INLINE Bits Add(Bits sum, Bits a, Bits b) {
  return Sum(sum, Products(a, b));
}
#include "lite/kernels/cpu/math/isa/byte_depthwise_rows.inc"
#undef LITE_DEPTHWISE_TARGET
}  // namespace pairs

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
  ByteFinish finish;
  const bool bytes = EndsInBytes(r, &finish);
  Part part = {0, r.weights, r.start, r.scales, r.bias};
  for (int64_t at = 0; at < r.channels;) {
    const ByteChannels channels = ByteChannelsAt(at, r.channels, kWidest);
    part.first_channel = channels.first;
    const int width = channels.width == 64 ? 2 : channels.width == 32 ? 1 : 0;
    (r.quads ? quads::kRun : pairs::kRun)[width][r.together - 1](r, part,
                                                                 bytes ? &finish : nullptr);
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
