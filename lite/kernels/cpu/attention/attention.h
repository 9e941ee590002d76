// Scaled dot-product attention of fp32 tensors, for the operators that export it as one.
#pragma once

#include <cstdint>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"

namespace paddle::lite {

// The matrices [rows, columns] of a tensor by batch and head; a stride of 0 repeats one.
struct HeadStrides {
  int64_t batch = 0, head = 0, row = 0;
};

struct Attention {
  int64_t batch = 1, heads = 1, kv_heads = 1;
  int64_t rows = 0, keys = 0;      // of the queries and of the keys
  int64_t dim = 0, value_dim = 0;  // of a key and of a value
  HeadStrides q_strides, k_strides, v_strides, out_strides, mask_strides;
  const float *q = nullptr, *k = nullptr, *v = nullptr;
  const float* mask = nullptr;  // added to the products; may be null
  float* out = nullptr;
  float scale = 1;
  bool causal = false;  // query i sees the keys up to i
};

// out = softmax(scale * q * k^T + mask) * v; a query that sees no key gives zeros. Heads share keys
// and values in groups of heads / kv_heads.
void RunAttention(const Attention& attention, int threads);

// Strides of [batch, rows, heads, dim] and of [batch, heads, rows, dim].
HeadStrides RowsFirst(const DDim& dims);
HeadStrides HeadsFirst(const DDim& dims);

// Strides of a mask whose dims of 1 are repeated, for scores of [batch, heads, rows, keys]. Throws
// ShapeError naming `slot` where it does not fit.
HeadStrides MaskStrides(const DDim& mask, const DDim& scores, const char* slot);

// Throws unless the inputs q, k and v are float32, have four dimensions and fit; `head` is where
// their heads stand.
void RequireAttention(const InferContext& c, const char* q, const char* k, const char* v, int head);

// Throws unless the attribute's probability of dropping is 0 or the operator is in test mode.
void RequireNoDropout(const InferContext& c, const char* attribute, double probability);

// Throws ShapeError unless a causal attention has as many keys as queries: kernels for GPUs
// disagree on what others mean.
void RequireEqualLengths(int64_t rows, int64_t keys);

// As Paddle: a scale that is not positive stands for 1 / sqrt(dim).
float ScaleOf(float attribute, int64_t dim);

}  // namespace paddle::lite
