#pragma once

#include <cstdint>

#include "lite/kernels/cpu/math/isa.h"

namespace paddle::lite::math {

// Attention by a state [batch, heads, dk, dv] (the operator linear_attention says what it
// computes). Heads of queries, so many for each of the keys, stand beside each other.
struct LinearAttentionShape {
  int64_t batch = 1, steps = 1, heads = 1, queries = 1, dk = 1, dv = 1;
  int64_t query_shares = 1, key_shares = 1;  // so many heads beside each other read the same
  float scale = 1;
};

struct LinearAttentionInput {
  const float *query, *key, *value;
  const float* state = nullptr;    // null: 0
  const float* factors = nullptr;  // what a step multiplies the state with; null: 1
  bool factor_rows = false;        // dk of them for a head, else one
  const float* beta = nullptr;     // null: values are added, and replace nothing
  bool beta_heads = false;         // one for each head, else for all
};

void LinearAttention(int threads, const LinearAttentionShape& shape, const LinearAttentionInput& x,
                     float* out, float* state_out);

// All steps of some columns of one head's state.
struct StateSteps {
  float* state = nullptr;  // dk x the table's columns
  int64_t dk = 0, steps = 0, queries = 0, dv = 0;
  int64_t width = 0;  // of values and results, at most the table's columns
  // Of the first step, and the distances to the next one's.
  const float *query = nullptr, *key = nullptr, *value = nullptr;
  const float *factors = nullptr, *beta = nullptr;
  int64_t query_step = 0, key_step = 0, value_step = 0, factor_step = 0, beta_step = 0;
  bool factor_rows = false;
  float scale = 1;
  float* out = nullptr;
  int64_t out_step = 0;
};

struct LinearAttentionTable {
  int64_t columns;
  void (*run)(const StateSteps&);
};
LITE_ISA_DECLARE(LinearAttentionTable, kLinearAttentionTable)

}  // namespace paddle::lite::math
