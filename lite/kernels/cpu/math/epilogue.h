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
};

// An element-wise function and its parameters. NaN stays NaN in all of them.
struct Activation {
  Act kind = Act::kNone;
  float a = 0, b = 0, c = 0;
};

// y = x op operand, or an activation of x. The operand's element for a row and a column is
// data[image * image_stride + row_in_image * row_stride + col * col_stride]; col_stride is 0 or 1,
// all strides are 0 for a scalar.
struct EpilogueStep {
  enum Op { kAct, kAdd, kSub, kRsub, kMul, kDiv, kRdiv, kMax, kMin };  // kRsub: operand - x
  Op op = kAct;
  Activation act;
  const float* data = nullptr;
  int64_t image_stride = 0, row_stride = 0, col_stride = 0;
};

// What happens to a result of rows x columns before it is stored: + bias[column], act, the steps in
// order. Rows are pixels, `rows_per_image` of them an image (0: all rows are one image).
//
// A step's operand may be the result's own memory (element for element): the residual is read
// before the result is written.
struct Epilogue {
  const float* bias = nullptr;
  Activation act;
  const EpilogueStep* steps = nullptr;
  int step_count = 0;
  int64_t rows_per_image = 0;
};

// Applies `steps` to x[rows][cols] (row stride ldx) and stores to y (row stride ldy). y may be x,
// or an operand with the same strides. With no steps it copies.
void RunSteps(int64_t rows, int64_t cols, const float* x, int64_t ldx, float* y, int64_t ldy,
              const EpilogueStep* steps, int step_count, int64_t rows_per_image);

// The whole epilogue on a part of the result that starts at (row0, col0); x and y point to the
// part.
void RunEpilogue(int64_t rows, int64_t cols, const float* x, int64_t ldx, float* y, int64_t ldy,
                 const Epilogue& epilogue, int64_t row0, int64_t col0);

}  // namespace paddle::lite::math
