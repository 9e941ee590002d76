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
__attribute__((target("avx512vbmi"))) int64_t MapVectors(const uint8_t* x, int64_t count,
                                                         const uint8_t* table, uint8_t* out) {
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
#endif

void MapBytes(const uint8_t* x, int64_t count, const uint8_t* table, uint8_t* out) {
  int64_t i = 0;
#if defined(__AVX512F__)
  static const bool has_permutation = __builtin_cpu_supports("avx512vbmi");
  if (has_permutation) i = MapVectors(x, count, table, out);
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
