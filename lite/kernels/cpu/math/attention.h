// Scaled dot-product attention over strided fp32 memory.
#pragma once

#include <cstdint>

namespace paddle::lite::math {

constexpr int kAttentionBatchDims = 9;

// The matrices of a batch: element (i, j) of one is data[i * row + j * col] from the sum of
// batch index * batch stride on.
struct MatrixBatch {
  const float* data = nullptr;
  int64_t row = 0, col = 0;
  int64_t batch[kAttentionBatchDims] = {};
};

// out = softmax(scale * q * k^T + mask) * v for each of a batch.
struct Attention {
  int batch_dims = 0;
  int64_t batch[kAttentionBatchDims] = {};
  int64_t rows = 0, keys = 0;      // of the queries and of the keys
  int64_t dim = 0, value_dim = 0;  // of a key and of a value
  MatrixBatch q;                   // rows x dim, col 1
  MatrixBatch k, v;                // keys x dim and keys x value_dim; row or col is 1
  MatrixBatch mask;                // rows x keys, col 0 or 1; data may be null
  float* out = nullptr;            // rows x value_dim, memory of its own
  int64_t out_row = 0, out_batch[kAttentionBatchDims] = {};
  float scale = 1;
  bool causal = false;             // query i sees the keys up to i
  bool hidden_give_zeros = false;  // a query that sees no key gives zeros, not NaN
};

// The scores of a block of rows never leave the caches. The result does not depend on `threads`.
void RunAttention(int threads, const Attention& attention);

}  // namespace paddle::lite::math
