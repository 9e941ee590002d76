// EpilogueStep: an elementwise operation that a kernel applies to its result before it is stored.
// The plan folds operators into such steps, the kernels' math computes them.
#pragma once

#include <cstdint>

namespace paddle::lite::math {

enum class Act {
  kNone,
  kRelu,
  kRelu6,        // clip to [0, a]
  kLeakyRelu,    // x < 0 ? a * x : x
  kHardSwish,    // x * clip(x + c, 0, a) / b
  kHardSigmoid,  // clip(a * x + b, 0, 1)
  kSigmoid,
  kSwish,  // x * sigmoid(a * x)
  kTanh,
  kGelu,      // x / 2 * (1 + erf(x / sqrt 2))
  kGeluTanh,  // the tanh approximation of gelu
  kAbs,
  kExp,
  kErf,
  kSqrt,
  kRsqrt,
  kSquare,
  kReciprocal,
  kElu,     // x < 0 ? a * (exp(x) - 1) : x
  kClip,    // clip to [a, b]
  kAffine,  // a * x + b
  kSteps,   // a * clip(x / a rounded to even, b, c), where those are below 2^22
};

// An element-wise function and its parameters. NaN stays NaN in all of them.
struct Activation {
  Act kind = Act::kNone;
  float a = 0, b = 0, c = 0;
};

// y = x op operand, or an activation of x; kRsub is operand - x, kPrelu operand * x below 0. The
// operand's element for a row and a column is data[image * image_stride + row_in_image * row_stride
// + col * col_stride]; col_stride is 0 or 1, all strides are 0 for a scalar. Where `bytes` is not
// null it stands there in the place of data, and the element is (byte - byte_zero) * byte_scale.
struct EpilogueStep {
  enum Op { kAct, kAdd, kSub, kRsub, kMul, kDiv, kRdiv, kMax, kMin, kPrelu };
  Op op = kAct;
  Activation act;
  const float* data = nullptr;
  int64_t image_stride = 0, row_stride = 0, col_stride = 0;
  const uint8_t* bytes = nullptr;
  float byte_scale = 0;
  int byte_zero = 0;
};

}  // namespace paddle::lite::math
