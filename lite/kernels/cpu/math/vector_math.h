// Functions of fp32 vectors that are no activation of an epilogue.
#pragma once

#include <cstdint>

#include "lite/kernels/cpu/math/isa.h"

namespace paddle::lite::math {

enum class VectorFunction {
  kLog,
  kLog1p,
  kExpm1,
  kMish,        // x * tanh(softplus(x)); softplus(x) is x above the threshold a
  kSoftplus,    // log(1 + exp(a * x)) / a; x where a * x is above b
  kTanhShrink,  // x - tanh(x)
  kScaledTanh,  // b * tanh(a * x)
  kSelu,        // a * (x > 0 ? x : b * (exp(x) - 1))
  kCelu,        // max(0, x) + min(0, a * (exp(x / a) - 1))
  kSin,
  kCos,
  kAtan,
  kFloor,
  kCeil,
  kRound,  // halves away from zero
  kRint,   // halves to the even neighbour
  kTrunc,
};

// y[i] = function(x[i]); y may be x.
void RunVector(VectorFunction function, int64_t count, const float* x, float* y, float a, float b,
               int threads);

struct VectorTable {
  void (*run)(VectorFunction function, int64_t count, const float* x, float* y, float a, float b);
};
LITE_ISA_DECLARE(VectorTable, kVectorTable)

}  // namespace paddle::lite::math
