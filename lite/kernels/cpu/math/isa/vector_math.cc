#include "lite/kernels/cpu/math/vector_math.h"

#include "lite/kernels/cpu/math/isa/log.h"
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

void Run(VectorFunction function, int64_t count, const float* x, float* y, float a, float b) {
  const V zero = Splat(0.0f), one = Splat(1.0f), va = Splat(a), vb = Splat(b);
  switch (function) {
    case VectorFunction::kLog:
      return ForAll(count, x, y, [](V v) { return Log(v); });
    case VectorFunction::kLog1p:
      return ForAll(count, x, y, [](V v) { return Log1p(v); });
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
    case VectorFunction::kSelu:
      return ForAll(count, x, y, [=](V v) { return va * (v > zero ? v : vb * (Exp(v) - one)); });
    case VectorFunction::kCelu:
      return ForAll(count, x, y,
                    [=](V v) { return AtLeast(v, zero) + AtMost(va * (Exp(v / va) - one), zero); });
  }
}

}  // namespace

extern const VectorTable kVectorTable = {Run};

}  // namespace paddle::lite::math::LITE_ISA
