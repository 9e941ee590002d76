#include "lite/kernels/cpu/math/isa/round_steps.h"

#include "lite/kernels/cpu/math/isa/widen.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

template <Ties kTies, bool kQuads>
void Round(const float* x, int64_t count, const Int8Rounding& how, char* out) {
  const StepRounding<kTies> round(how);
  const auto store = [&](char* to, VI v) __attribute__((always_inline)) {
    if (kQuads)
      StoreQuads(reinterpret_cast<uint8_t*>(to), v, how.zero);
    else
      StorePairs(reinterpret_cast<int16_t*>(to), v);
  };
  constexpr int kBytes = kQuads ? 1 : 2;
  int64_t i = 0;
  if (kQuads)
    for (; i + 2 * kW <= count; i += 2 * kW)
      StoreTwoQuads(reinterpret_cast<uint8_t*>(out + i), round(Load(x + i)),
                    round(Load(x + i + kW)), how.zero);
  for (; i + kW <= count; i += kW) store(out + i * kBytes, round(Load(x + i)));
  if (i == count) return;
  alignas(64) char rest[kW * 2];
  const V last = LoadN(x + i, static_cast<int>(count - i));
  store(rest, round(last));
  __builtin_memcpy(out + i * kBytes, rest, static_cast<size_t>((count - i) * kBytes));
}

template <Ties kTies, bool kDequantize>
void RoundAll(const float* x, int64_t count, const Int8Rounding& how, float scale, float bound,
              float* out) {
  const StepRounding<kTies> round(how);
  const V numerator = Splat(scale), denominator = Splat(bound);
  const auto one = [&](V v) __attribute__((always_inline)) {
    V steps = __builtin_convertvector(round(v), V);
    if (kDequantize) steps = steps * numerator / denominator;
    return v == v ? steps : v;
  };
  int64_t i = 0;
  for (; i + kW <= count; i += kW) Store(out + i, one(Load(x + i)));
  const int rest = static_cast<int>(count - i);
  if (rest > 0) StoreN(out + i, one(LoadN(x + i, rest)), rest);
}

}  // namespace

void RoundRow(const float* x, int64_t count, const Int8Rounding& how, bool quads, char* out) {
  WithTies(how, [&](auto ties) {
    (quads ? Round<decltype(ties)::value, true> : Round<decltype(ties)::value, false>)(x, count,
                                                                                       how, out);
  });
}

void RoundReals(const float* x, int64_t count, const Int8Rounding& how, float scale, float bound,
                float* out) {
  WithTies(how, [&](auto ties) {
    constexpr Ties kTies = decltype(ties)::value;
    (bound != 0 ? RoundAll<kTies, true> : RoundAll<kTies, false>)(x, count, how, scale, bound, out);
  });
}

void TakeBytes(const uint8_t* x, int64_t count, int less, bool quads, char* out) {
  if (quads) {
    for (int64_t i = 0; i < count; ++i) out[i] = static_cast<char>(x[i] - less);
    return;
  }
  auto* to = reinterpret_cast<int16_t*>(out);
  const auto minus = static_cast<int16_t>(less);
  int64_t i = 0;
  for (; i + 2 * kW <= count; i += 2 * kW)
    *reinterpret_cast<VSUnaligned*>(to + i) = ShortsOfBytes(x + i) - minus;
  for (; i < count; ++i) to[i] = static_cast<int16_t>(x[i] - less);
}

void RealsOfBytes(const uint8_t* x, int64_t count, float scale, int zero, float* out) {
  const V step = Splat(scale);
  const VI none = SplatInt(zero);
  int64_t i = 0;
  for (; i + kW <= count; i += kW)
    Store(out + i, __builtin_convertvector(WidenBytes(x + i) - none, V) * step);
  for (; i < count; ++i) out[i] = static_cast<float>(x[i] - zero) * scale;
}

#if defined(__AVX512F__)
namespace {

// 64 bytes at a time: the lower seven bits of a byte choose in each half of the table.
LITE_TARGET("avx512vbmi")
int64_t MapVectors(const uint8_t* x, int64_t count, const uint8_t* table, uint8_t* out) {
  __m512i part[4];
  for (int i = 0; i < 4; ++i) part[i] = _mm512_loadu_si512(table + 64 * i);
  int64_t i = 0;
  for (; i + 64 <= count; i += 64) {
    const __m512i at = _mm512_loadu_si512(x + i);
    const __m512i low = _mm512_permutex2var_epi8(part[0], at, part[1]);
    const __m512i high = _mm512_permutex2var_epi8(part[2], at, part[3]);
    _mm512_storeu_si512(out + i, _mm512_mask_mov_epi8(low, _mm512_movepi8_mask(at), high));
  }
  return i;
}

}  // namespace
#elif defined(__AVX2__)
namespace {

// 32 bytes at a time, by tables of 16. A table's bytes are what is to be added (exclusive or) to
// those of the ones before it: a byte takes from all tables up to its own, since those behind see
// it as negative.
int64_t MapVectors(const uint8_t* x, int64_t count, const uint8_t* table, uint8_t* out) {
  if (count < 32) return 0;
  __m256i part[16];
  for (int i = 0; i < 16; ++i) {
    const auto* at = reinterpret_cast<const __m128i*>(table + 16 * i);
    __m128i bytes = _mm_loadu_si128(at);
    if (i % 8 != 0) bytes = _mm_xor_si128(bytes, _mm_loadu_si128(at - 1));
    part[i] = _mm256_broadcastsi128_si256(bytes);
  }
  const __m256i sign = _mm256_set1_epi8(-128), step = _mm256_set1_epi8(16);
  int64_t i = 0;
  for (; i + 32 <= count; i += 32) {
    __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + i));
    __m256i high = _mm256_xor_si256(low, sign), of_low = {}, of_high = {};
    for (int t = 0; t < 8; ++t) {
      of_low = _mm256_xor_si256(of_low, _mm256_shuffle_epi8(part[t], low));
      of_high = _mm256_xor_si256(of_high, _mm256_shuffle_epi8(part[8 + t], high));
      low = _mm256_subs_epi8(low, step);
      high = _mm256_subs_epi8(high, step);
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), _mm256_xor_si256(of_low, of_high));
  }
  return i;
}

}  // namespace
#elif defined(__aarch64__)
namespace {

// 16 bytes at a time, by tables of 64.
int64_t MapVectors(const uint8_t* x, int64_t count, const uint8_t* table, uint8_t* out) {
  uint8x16x4_t part[4];
  for (int i = 0; i < 4; ++i) part[i] = vld1q_u8_x4(table + 64 * i);
  int64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    uint8x16_t at = vld1q_u8(x + i), y = vqtbl4q_u8(part[0], at);
    for (int t = 1; t < 4; ++t) {
      at = vsubq_u8(at, vdupq_n_u8(64));
      y = vqtbx4q_u8(y, part[t], at);
    }
    vst1q_u8(out + i, y);
  }
  return i;
}

}  // namespace
#endif

void MapBytes(const uint8_t* x, int64_t count, const uint8_t* table, uint8_t* out) {
  int64_t i = 0;
#if defined(__AVX512F__)
  static const bool has_permutation = __builtin_cpu_supports("avx512vbmi");
  if (has_permutation) i = MapVectors(x, count, table, out);
#elif defined(__AVX2__) || defined(__aarch64__)
  i = MapVectors(x, count, table, out);
#endif
  for (; i < count; ++i) out[i] = table[x[i]];
}

void RoundBlock(int64_t rows, int64_t cols, const float* x, int64_t ldx, const Int8Rounding& how,
                uint8_t* out, int64_t ldout) {
  WithTies(how, [&](auto ties) {
    for (int64_t r = 0; r < rows; ++r)
      Round<decltype(ties)::value, true>(x + r * ldx, cols, how,
                                         reinterpret_cast<char*>(out + r * ldout));
  });
}

}  // namespace paddle::lite::math::LITE_ISA
