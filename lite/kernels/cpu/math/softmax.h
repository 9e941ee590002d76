// softmax and log_softmax along one axis of fp32 memory.
#pragma once

#include <cstdint>

#include "lite/kernels/cpu/math/isa.h"

namespace paddle::lite::math {

// x and y are [outer, axis, inner]; each of the outer * inner slices along `axis` is normalised on
// its own. y may be x. All of -inf gives NaN. For the logarithm x - max is at least -64, as in
// Paddle.
void Softmax(int64_t outer, int64_t axis, int64_t inner, const float* x, float* y, bool log,
             int threads);

// Whole vectors, whatever the instruction set.
constexpr int64_t kScoreFloats = 16;

// Rows of an attention's scores, normalised in place: softmax(scale * x + mask).
struct ScoreRows {
  int64_t rows = 0, cols = 0;
  int64_t stride = 0;  // from row to row: a multiple of kScoreFloats, and all of it is written
  float* x = nullptr;
  float scale = 1;
  const float* mask = nullptr;  // may be null
  int64_t mask_row = 0, mask_col = 0;
  int64_t first_row = 0;           // of x among the queries
  bool causal = false;             // a query sees the columns up to its own number
  bool hidden_give_zeros = false;  // not NaN, where all of a row are -inf
};

struct SoftmaxTable {
  void (*rows)(int64_t rows, int64_t cols, const float* x, float* y, bool log);
  // Columns [first, last) of one [axis, inner] plane; a column is a slice.
  void (*columns)(int64_t axis, int64_t inner, int64_t first, int64_t last, const float* x,
                  float* y, bool log);
  void (*scores)(const ScoreRows& rows);
};
LITE_ISA_DECLARE(SoftmaxTable, kSoftmaxTable)

}  // namespace paddle::lite::math
