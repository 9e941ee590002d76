#include "lite/kernels/cpu/math/vector_math.h"

#include <algorithm>

#include "lite/kernels/cpu/math/isa/log.h"
#include "lite/kernels/cpu/math/isa/trigonometry.h"
#include "lite/kernels/cpu/math/isa/vec_math.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

// log(1 + x): the rounding of 1 + x is put right by the factor x / ((1 + x) - 1).
LITE_INLINE V Log1p(V x) {
  const V one = Splat(1.0f);
  const V u = one + x, d = u - one;
  const V y = Log(u) * (x / d);
  const V result = d == Splat(0.0f) ? x : y;
  return x < Splat(__builtin_inff()) ? result : x;
}

template <typename Fn>
LITE_INLINE void ForAll(int64_t count, const float* x, float* y, Fn fn) {
  int64_t i = 0;
  for (; i + kW <= count; i += kW) Store(y + i, fn(Load(x + i)));
  const int lanes = static_cast<int>(count - i);
  if (lanes > 0) StoreN(y + i, fn(LoadN(x + i, lanes)), lanes);
}

// Numbers that are too large for vectors, one by one, whatever stands beside them.
template <typename Scalar>
void Trigonometric(int64_t count, const float* x, float* y, int quarters, Scalar scalar) {
  constexpr int64_t kBlock = 256;
  const auto fits = [](float v) { return v <= 8192.0f && v >= -8192.0f; };
  float kept[kBlock];  // y may be x
  for (int64_t begin = 0; begin < count; begin += kBlock) {
    const int64_t here = std::min(kBlock, count - begin);
    const float* const from = x + begin;
    const bool all = std::all_of(from, from + here, fits);
    if (!all) std::copy_n(from, here, kept);
    ForAll(here, from, y + begin, [=](V v) { return SinOfQuarters(v, quarters); });
    for (int64_t i = 0; !all && i < here; ++i)
      if (!fits(kept[i])) y[begin + i] = scalar(kept[i]);
  }
}

void Run(VectorFunction function, int64_t count, const float* x, float* y, float a, float b) {
  const V zero = Splat(0.0f), one = Splat(1.0f), va = Splat(a), vb = Splat(b);
  switch (function) {
    case VectorFunction::kLog:
      return ForAll(count, x, y, [](V v) { return Log(v); });
    case VectorFunction::kLog1p:
      return ForAll(count, x, y, [](V v) { return Log1p(v); });
    case VectorFunction::kExpm1:
      return ForAll(count, x, y, [](V v) { return ExpLessOne(v); });
    case VectorFunction::kMish:
      // tanh(log(1 + e)) = (e^2 + 2 e) / (e^2 + 2 e + 2) for e = exp(x).
      return ForAll(count, x, y, [=](V v) {
        const V e = Exp(AtMost(v, Splat(30.0f)));
        const V n = e * (e + Splat(2.0f));
        return v * (v > va ? Tanh(v) : n / (n + Splat(2.0f)));
      });
    case VectorFunction::kSoftplus:
      return ForAll(count, x, y, [=](V v) {
        const V scaled = v * va;
        return scaled > vb ? v : Log1p(Exp(scaled)) / va;
      });
    case VectorFunction::kTanhShrink:
      return ForAll(count, x, y, [](V v) { return v - Tanh(v); });
    case VectorFunction::kScaledTanh:
      return ForAll(count, x, y, [=](V v) { return vb * Tanh(va * v); });
    case VectorFunction::kSelu:
      return ForAll(count, x, y, [=](V v) { return va * (v > zero ? v : vb * (Exp(v) - one)); });
    case VectorFunction::kCelu:
      return ForAll(count, x, y,
                    [=](V v) { return AtLeast(v, zero) + AtMost(va * (Exp(v / va) - one), zero); });
    case VectorFunction::kSin:
      return Trigonometric(count, x, y, 0, [](float v) { return std::sin(v); });
    case VectorFunction::kCos:
      return Trigonometric(count, x, y, 1, [](float v) { return std::cos(v); });
    case VectorFunction::kAtan:
      return ForAll(count, x, y, [](V v) { return Atan(v); });
    case VectorFunction::kFloor:
      return ForAll(count, x, y, [](V v) { return Floor(v); });
    case VectorFunction::kCeil:
      return ForAll(count, x, y, [](V v) { return Ceil(v); });
    case VectorFunction::kRound:
      return ForAll(count, x, y, [](V v) { return Round(v); });
    case VectorFunction::kRint:
      return ForAll(count, x, y, [](V v) { return Rint(v); });
    case VectorFunction::kTrunc:
      return ForAll(count, x, y, [](V v) { return Trunc(v); });
  }
}

}  // namespace

extern const VectorTable kVectorTable = {Run};

}  // namespace paddle::lite::math::LITE_ISA
