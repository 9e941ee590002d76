#include "lite/kernels/cpu/attention.h"

#include <algorithm>
#include <cmath>

#include "lite/kernels/cpu/math/attention.h"

namespace paddle::lite {
namespace {

// Batch, heads that share keys and values, and the heads of such a group.
math::MatrixBatch Matrices(const float* data, const HeadStrides& strides, int64_t group) {
  math::MatrixBatch matrices;
  matrices.data = data;
  matrices.row = strides.row;
  matrices.col = 1;
  matrices.batch[0] = strides.batch;
  matrices.batch[1] = strides.head * group;
  matrices.batch[2] = strides.head;
  return matrices;
}

}  // namespace

void RunAttention(const Attention& a, int threads) {
  const int64_t group = a.heads / a.kv_heads;
  math::Attention attention;
  attention.batch_dims = 3;
  attention.batch[0] = a.batch, attention.batch[1] = a.kv_heads, attention.batch[2] = group;
  attention.rows = a.rows, attention.keys = a.keys;
  attention.dim = a.dim, attention.value_dim = a.value_dim;
  attention.q = Matrices(a.q, a.q_strides, group);
  attention.k = Matrices(a.k, a.k_strides, 1);
  attention.v = Matrices(a.v, a.v_strides, 1);
  attention.k.batch[2] = attention.v.batch[2] = 0;
  attention.mask = Matrices(a.mask, a.mask_strides, group);
  const math::MatrixBatch out = Matrices(nullptr, a.out_strides, group);
  attention.out = a.out;
  attention.out_row = out.row;
  std::copy(out.batch, out.batch + 3, attention.out_batch);
  attention.scale = a.scale;
  attention.causal = a.causal;
  attention.hidden_give_zeros = true;
  math::RunAttention(threads, attention);
}

HeadStrides RowsFirst(const DDim& dims) {
  return {dims[1] * dims[2] * dims[3], dims[3], dims[2] * dims[3]};
}

HeadStrides HeadsFirst(const DDim& dims) {
  return {dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3]};
}

HeadStrides MaskStrides(const DDim& mask, const DDim& scores, const char* slot) {
  bool fits = mask.size() == 4 && mask[3] == scores[3];
  for (int i = 0; fits && i < 3; ++i) fits = mask[i] == 1 || mask[i] == scores[i];
  if (!fits)
    throw ShapeError(StrCat("input ", slot, " has shape ", mask,
                            ", expected one that broadcasts to ", scores,
                            " without its last dimension"));
  return {mask[0] == 1 ? 0 : mask[1] * mask[2] * mask[3], mask[1] == 1 ? 0 : mask[2] * mask[3],
          mask[2] == 1 ? 0 : mask[3]};
}

void RequireAttention(const InferContext& c, const char* q, const char* k, const char* v,
                      int head) {
  for (const char* slot : {q, k, v}) {
    c.Require(c.Dims(slot).size() == 4, "input ", slot, " has shape ", c.Dims(slot),
              ", expected four dimensions");
    if (c.Input(slot).dtype != DataType::kFP32)
      throw DataTypeError(
          StrCat("input ", slot, " is ", Name(c.Input(slot).dtype), ", expected float32"));
  }
  const DDim &qs = c.Dims(q), &ks = c.Dims(k), &vs = c.Dims(v);
  c.Require(qs[0] == ks[0] && qs[3] == ks[3] && ks[0] == vs[0] && ks[1] == vs[1] && ks[2] == vs[2],
            "inputs ", q, ", ", k, " and ", v, " have shapes ", qs, ", ", ks, " and ", vs,
            ", expected equal batches, as many values as keys, and keys as long as queries");
  c.Require(ks[head] > 0 && qs[head] % ks[head] == 0, "input ", q, " has ", qs[head], " heads and ",
            k, " has ", ks[head], ", expected a divisor");
}

void RequireNoDropout(const InferContext& c, const char* attribute, double probability) {
  c.Require(probability == 0 || c.Attr<bool>("is_test"), "attribute ", attribute, " is ",
            probability,
            " and is_test is false, expected no dropping: export the model in eval mode");
}

void RequireEqualLengths(int64_t rows, int64_t keys) {
  if (rows != keys)
    throw ShapeError(StrCat("attribute causal is true for ", rows, " queries and ", keys,
                            " keys, expected as many; give a mask instead"));
}

float ScaleOf(float attribute, int64_t dim) {
  return attribute > 0 ? attribute : 1 / std::sqrt(static_cast<float>(std::max<int64_t>(dim, 1)));
}

}  // namespace paddle::lite
