#pragma once

#include <cstdint>

#include "lite/core/base/epilogue_step.h"

namespace paddle::lite::math {

struct Int8Rounding;

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
  const Int8Rounding* rounding = nullptr;  // bytes without sign are stored; of products of integers
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
