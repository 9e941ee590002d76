#pragma once

#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/isa/vec_math.h"

namespace paddle::lite::math::LITE_ISA {

// What a microkernel does with its sums before it stores them.
enum Finish { kRaw, kClamp, kHardSwish, kHardSwishAffine, kResidual, kAtLeast, kBytes };

struct ActParameters {
  Finish finish = kClamp;
  float p0 = -__builtin_inff(), p1 = __builtin_inff(), p2 = 0;
};

// The activations that microkernels apply in registers; false, and kClamp to everything, for
// others.
LITE_INLINE bool InRegisters(const Activation& act, ActParameters* p) {
  *p = ActParameters();
  switch (act.kind) {
    case Act::kNone:
      return true;
    case Act::kRelu:
      p->p0 = 0;
      return true;
    case Act::kRelu6:
      p->p0 = 0;
      p->p1 = act.a;
      return true;
    case Act::kClip:
      p->p0 = act.a;
      p->p1 = act.b;
      return true;
    case Act::kHardSwish:
      *p = {kHardSwish, act.a * kHardSwishFactor, 1.0f / (act.b * kHardSwishFactor),
            act.c * kHardSwishFactor};
      return true;
    default:
      return false;
  }
}

}  // namespace paddle::lite::math::LITE_ISA
