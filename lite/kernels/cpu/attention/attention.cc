#include "lite/kernels/cpu/attention/attention.h"

#include <algorithm>
#include <cmath>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
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

namespace {

// softmax(scale * Q * K^T + Mask) * V for matrices anywhere in the inputs' memory; made by the
// plan, never in a file.
using Ints = std::vector<int64_t>;

// `view` is the offset, the strides of a row and a column, and those of the batch dims.
math::MatrixBatch Matrices(const float* data, const Ints& view) {
  math::MatrixBatch matrices;
  matrices.data = data + view[0];
  matrices.row = view[1];
  matrices.col = view[2];
  std::copy(view.begin() + 3, view.end(), matrices.batch);
  return matrices;
}

// Throws unless every element of the view is one of the tensor's.
void RequireView(const InferContext& c, const char* slot, const char* attribute, int64_t rows,
                 int64_t cols) {
  const Ints& view = c.Attr<Ints>(attribute);
  const Ints& batch = c.Attr<Ints>("batch");
  c.Require(view.size() == batch.size() + 3, "attribute ", attribute, " has ", view.size(),
            " elements, expected ", batch.size() + 3);
  Ints dims{rows, cols};
  dims.insert(dims.end(), batch.begin(), batch.end());
  const int64_t count = c.Dims(slot).production();
  if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return;
  int64_t left = count - 1 - view[0];  // elements after the furthest so far
  bool fits = view[0] >= 0 && left >= 0;
  for (size_t i = 0; fits && i < dims.size(); ++i) {
    const int64_t stride = view[i + 1];
    fits = stride >= 0 && (stride == 0 || dims[i] - 1 <= left / stride);
    if (fits) left -= (dims[i] - 1) * stride;
  }
  c.Require(fits, "attribute ", attribute, " leads out of input ", slot, " of shape ",
            c.Dims(slot));
}

void InferAttentionOfViews(InferContext& c) {
  const Ints &batch = c.Attr<Ints>("batch"), &sizes = c.Attr<Ints>("sizes");
  c.Require(batch.size() <= math::kAttentionBatchDims, "attribute batch has ", batch.size(),
            " dims, expected at most ", math::kAttentionBatchDims);
  c.Require(sizes.size() == 4, "attribute sizes has ", sizes.size(), " elements, expected 4");
  Ints dims(batch);
  dims.insert(dims.end(), {sizes[0], sizes[3]});
  for (const Ints* list : {&batch, &sizes})
    for (const int64_t size : *list)
      c.Require(size >= 0, "attributes batch and sizes have an element ", size,
                ", expected no negative ones");
  for (const char* slot : {"Q", "K", "V", "Mask"})
    if (c.HasInput(slot) && c.Input(slot).dtype != DataType::kFP32)
      throw DataTypeError(
          StrCat("input ", slot, " is ", Name(c.Input(slot).dtype), ", expected float32"));
  RequireView(c, "Q", "q", sizes[0], sizes[2]);
  RequireView(c, "K", "k", sizes[1], sizes[2]);
  RequireView(c, "V", "v", sizes[1], sizes[3]);
  if (c.HasInput("Mask")) {
    RequireView(c, "Mask", "mask", sizes[0], sizes[1]);
    c.Require(c.Attr<Ints>("mask")[2] == 0 || c.Attr<Ints>("mask")[2] == 1,
              "attribute mask has a column stride ", c.Attr<Ints>("mask")[2], ", expected 0 or 1");
  }
  const auto unit = [&](const char* attribute, bool row_too) {
    const Ints& view = c.Attr<Ints>(attribute);
    c.Require(view[2] == 1 || (row_too && view[1] == 1), "attribute ", attribute, " has strides ",
              view[1], " and ", view[2], ", expected a 1");
  };
  unit("q", false);
  unit("k", true);
  unit("v", true);

  // Out's dims in the order in which they lie in memory.
  const Ints& order = c.Attr<Ints>("order");
  c.Require(order.size() == dims.size() && !order.empty() &&
                order.back() == static_cast<int64_t>(dims.size()) - 1,
            "attribute order has ", order.size(), " elements, expected ", dims.size(),
            " with the last dim last");
  DDim out;
  std::vector<bool> used(dims.size());
  for (const int64_t from : order) {
    c.Require(
        from >= 0 && from < static_cast<int64_t>(dims.size()) && !used[static_cast<size_t>(from)],
        "attribute order has an element ", from, ", expected a permutation");
    used[static_cast<size_t>(from)] = true;
    out.push_back(dims[static_cast<size_t>(from)]);
  }
  c.SetOutput("Out", out, DataType::kFP32);
}

void RunAttentionOfViews(KernelContext& c) {
  const Ints &batch = c.Attr<Ints>("batch"), &sizes = c.Attr<Ints>("sizes");
  const Ints& order = c.Attr<Ints>("order");
  math::Attention a;
  a.batch_dims = static_cast<int>(batch.size());
  std::copy(batch.begin(), batch.end(), a.batch);
  a.rows = sizes[0], a.keys = sizes[1], a.dim = sizes[2], a.value_dim = sizes[3];
  a.q = Matrices(c.Input("Q").data<float>(), c.Attr<Ints>("q"));
  a.k = Matrices(c.Input("K").data<float>(), c.Attr<Ints>("k"));
  a.v = Matrices(c.Input("V").data<float>(), c.Attr<Ints>("v"));
  if (c.HasInput("Mask")) a.mask = Matrices(c.Input("Mask").data<float>(), c.Attr<Ints>("mask"));
  a.scale = c.Attr<float>("scale");
  Tensor& out = c.Output("Out");
  a.out = out.mutable_data<float>();
  int64_t stride = 1;
  for (size_t i = order.size(); i-- > 0;) {
    const auto dim = static_cast<size_t>(order[i]);
    if (dim < batch.size()) a.out_batch[dim] = stride;
    if (dim == batch.size()) a.out_row = stride;
    stride *= out.dims()[static_cast<int>(i)];
  }
  math::RunAttention(c.threads(), a);
}

REGISTER_LITE_OP(attention_of_views)
    .Input("Q")
    .Input("K")
    .Input("V")
    .OptionalInput("Mask")
    .Output("Out")
    .RequiredAttr<Ints>("batch")
    .RequiredAttr<Ints>("sizes")  // queries, keys, elements of a key and of a value
    .RequiredAttr<Ints>("q")
    .RequiredAttr<Ints>("k")
    .RequiredAttr<Ints>("v")
    .Attr<Ints>("mask", {})
    .RequiredAttr<Ints>("order")  // of the batch dims, the row and the column in Out
    .Attr<float>("scale", 1.0f)
    .InferShape(InferAttentionOfViews);
REGISTER_LITE_FUNCTION(attention_of_views, kHost, kFloat, kNCHW, RunAttentionOfViews, def);

}  // namespace
}  // namespace paddle::lite
