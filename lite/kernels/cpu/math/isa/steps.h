#pragma once

#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/isa/vec_math.h"

namespace paddle::lite::math::LITE_ISA {

// Whether x * (1 / by) can be mended to what a division rounds to.
LITE_INLINE bool HasExactQuotients(float by) { return kFused && by > 0x1p-100f && by < 0x1p100f; }

// x / by as a division rounds it (Markstein), in a third of its time, where it is no denormal; of a
// finite product with `inverse`. With a `mend` of 0 that product, and with the inverse the
// quotient.
LITE_INLINE V ExactQuotient(V x, V by, V inverse, V mend) {
  V quotient = x * inverse, rest = x;
  MulAdd(&rest, quotient, -by);
  MulAdd(&quotient, rest, mend);
  return quotient;
}

// One activation as a functor; parameters are splat once.
template <Act kind>
struct ActOp {
  explicit ActOp(const Activation& act)
      : a(Splat(act.a * kFactor)),
        b(Splat(act.b)),
        c(Splat(act.c * kFactor)),
        inverse_b(Splat(1.0f / (act.b * kFactor))),
        inverse_a(Splat(1.0f / act.a)),
        divides(!HasExactQuotients(act.a)) {}

  LITE_INLINE_MEMBER V operator()(V x) const {
    const V zero = Splat(0.0f), one = Splat(1.0f);
    switch (kind) {
      case Act::kNone:
        return x;
      case Act::kRelu:
        return AtLeast(x, zero);
      case Act::kRelu6:
        return Clamp(x, zero, a);
      case Act::kLeakyRelu:
        return Slope(x, a);
      case Act::kHardSwish:
        return HardSwish(x, a, inverse_b, c);
      case Act::kHardSigmoid:
        return Clamp(a * x + b, zero, one);
      case Act::kSigmoid:
        return Sigmoid(x);
      case Act::kSwish:
        return x * FastSigmoid(a * x);
      case Act::kTanh:
        return Tanh(x);
      case Act::kGelu:
        return Gelu(x);
      case Act::kGeluTanh:
        // (1 + tanh u) / 2 is the logistic function of 2u.
        return x *
               FastSigmoid(x * (Splat(1.5957691216057307f) + Splat(0.07135481282744824f) * x * x));
      case Act::kAbs:
        return Abs(x);
      case Act::kExp:
        return Exp(x);
      case Act::kErf:
        return Erf(x);
      case Act::kSqrt:
        return Sqrt(x);
      case Act::kRsqrt:
        return one / Sqrt(x);
      case Act::kSquare:
        return x * x;
      case Act::kReciprocal:
        return one / x;
      case Act::kElu:
        return x < zero ? a * (Exp(x) - one) : x;
      case Act::kClip:
        return Clamp(x, a, b);
      case Act::kAffine:
        return a * x + b;
      case Act::kSteps: {
        const V large = Splat(12582912.0f);  // whose sums have no fraction
        return (Clamp(divides ? x / a : Quotient(x), b, c) + large - large) * a;
      }
    }
    return x;
  }

  // x / a as a division rounds it (Markstein), in a third of its time, where it is no denormal and
  // between b and c; else on the same side of them.
  LITE_INLINE_MEMBER V Quotient(V x) const {
    V quotient = Clamp(x * inverse_a, b, c), rest = x;
    MulAdd(&rest, quotient, -a);
    MulAdd(&quotient, rest, inverse_a);
    return quotient;
  }

  static constexpr float kFactor = kind == Act::kHardSwish ? kHardSwishFactor : 1;
  V a, b, c, inverse_b, inverse_a;
  bool divides;
};

// Calls visit(ActOp<kind>) for the kind of `act`.
template <typename Visit>
LITE_INLINE void VisitAct(const Activation& act, Visit visit) {
#define LITE_ACT_CASE(kind) \
  case Act::kind:           \
    return visit(ActOp<Act::kind>(act));
  switch (act.kind) {
    LITE_ACT_CASE(kNone)
    LITE_ACT_CASE(kRelu)
    LITE_ACT_CASE(kRelu6)
    LITE_ACT_CASE(kLeakyRelu)
    LITE_ACT_CASE(kHardSwish)
    LITE_ACT_CASE(kHardSigmoid)
    LITE_ACT_CASE(kSigmoid)
    LITE_ACT_CASE(kSwish)
    LITE_ACT_CASE(kTanh)
    LITE_ACT_CASE(kGelu)
    LITE_ACT_CASE(kGeluTanh)
    LITE_ACT_CASE(kAbs)
    LITE_ACT_CASE(kExp)
    LITE_ACT_CASE(kErf)
    LITE_ACT_CASE(kSqrt)
    LITE_ACT_CASE(kRsqrt)
    LITE_ACT_CASE(kSquare)
    LITE_ACT_CASE(kReciprocal)
    LITE_ACT_CASE(kElu)
    LITE_ACT_CASE(kClip)
    LITE_ACT_CASE(kAffine)
    LITE_ACT_CASE(kSteps)
  }
#undef LITE_ACT_CASE
}

// Part of a result starting at (row0, col0): reads x, stores the result of all steps to y. A step's
// operand may be y itself.
void RunSteps(int64_t rows, int64_t cols, const float* x, int64_t ldx, float* y, int64_t ldy,
              const EpilogueStep* steps, int step_count, int64_t rows_per_image, int64_t row0,
              int64_t col0);

}  // namespace paddle::lite::math::LITE_ISA
