#include <algorithm>
#include <cmath>

#include "lite/kernels/cpu/attention/attention.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

// flash_attn of [batch, rows, heads, dim], and flash_attn_unpadded of the rows of all sequences in
// a row. What they give besides serves training: it is left empty.
void SetOutputs(InferContext& c, const DDim& out) {
  c.Require(!c.Attr<bool>("return_softmax"), "attribute return_softmax is not supported");
  RequireNoDropout(c, "dropout", c.Attr<float>("dropout"));
  c.SetOutput("out", out, DataType::kFP32);
  c.SetOutput("softmax", DDim{0}, DataType::kFP32);
  c.SetOutput("softmax_lse", DDim{0}, DataType::kFP32);
  c.SetOutput("seed_offset", DDim{0}, DataType::kInt64);
}

void RequireFloatMask(const InferContext& c) {
  if (c.Input("attn_mask").dtype != DataType::kFP32)
    throw DataTypeError(
        StrCat("input attn_mask is ", Name(c.Input("attn_mask").dtype), ", expected float32"));
}

void InferFlashAttn(InferContext& c) {
  RequireAttention(c, "q", "k", "v", 2);
  const DDim &q = c.Dims("q"), &k = c.Dims("k");
  if (c.Attr<bool>("causal")) RequireEqualLengths(q[1], k[1]);
  if (c.HasInput("attn_mask")) {
    RequireFloatMask(c);
    MaskStrides(c.Dims("attn_mask"), DDim{q[0], q[2], q[1], k[1]}, "attn_mask");
  }
  SetOutputs(c, DDim{q[0], q[1], q[2], c.Dims("v")[3]});
}

void RunFlashAttn(KernelContext& c) {
  const Tensor &q = c.Input("q"), &k = c.Input("k"), &v = c.Input("v");
  Attention a;
  a.batch = q.dims()[0], a.heads = q.dims()[2], a.kv_heads = k.dims()[2];
  a.rows = q.dims()[1], a.keys = k.dims()[1], a.dim = q.dims()[3], a.value_dim = v.dims()[3];
  a.q = q.data<float>(), a.k = k.data<float>(), a.v = v.data<float>();
  a.q_strides = RowsFirst(q.dims()), a.k_strides = RowsFirst(k.dims());
  a.v_strides = RowsFirst(v.dims()), a.out_strides = RowsFirst(c.Output("out").dims());
  if (const Tensor* mask = c.InputOrNull("attn_mask")) {
    a.mask = mask->data<float>();
    a.mask_strides = MaskStrides(mask->dims(), DDim{a.batch, a.heads, a.rows, a.keys}, "attn_mask");
  }
  a.out = c.Output("out").mutable_data<float>();
  a.scale = ScaleOf(0, a.dim);
  a.causal = c.Attr<bool>("causal");
  RunAttention(a, c.threads());
}

REGISTER_LITE_OP(flash_attn)
    .Input("q")
    .Input("k")
    .Input("v")
    .OptionalInput("fixed_seed_offset")
    .OptionalInput("attn_mask")
    .Output("out")
    .OptionalOutput("softmax")
    .OptionalOutput("softmax_lse")
    .OptionalOutput("seed_offset")
    .Attr<float>("dropout", 0.0f)
    .Attr<bool>("causal", false)
    .Attr<bool>("return_softmax", false)
    .Attr<bool>("is_test", false)
    .InferShape(InferFlashAttn);
REGISTER_LITE_FUNCTION(flash_attn, kHost, kFloat, kNCHW, RunFlashAttn, def);

// The same dims with a batch of one in front.
DDim Batched(const DDim& dims) { return DDim{1, dims[0], dims[1], dims[2]}; }

void InferUnpadded(InferContext& c) {
  for (const char* slot : {"q", "k", "v"}) {
    c.Require(c.Dims(slot).size() == 3, "input ", slot, " has shape ", c.Dims(slot),
              ", expected [rows, heads, dim]");
    if (c.Input(slot).dtype != DataType::kFP32)
      throw DataTypeError(
          StrCat("input ", slot, " is ", Name(c.Input(slot).dtype), ", expected float32"));
  }
  const DDim &q = c.Dims("q"), &k = c.Dims("k"), &v = c.Dims("v");
  c.Require(
      q[2] == k[2] && k[0] == v[0] && k[1] == v[1] && k[1] > 0 && q[1] % k[1] == 0,
      "inputs q, k and v have shapes ", q, ", ", k, " and ", v,
      ", expected as many values as keys, keys as long as queries, and heads of k that divide "
      "q's");
  c.Require(!c.HasInput("attn_mask"), "input attn_mask is not supported here");
  const DDim &rows = c.Dims("cu_seqlens_q"), &keys = c.Dims("cu_seqlens_k");
  c.Require(rows.size() == 1 && rows == keys && rows[0] > 0,
            "inputs cu_seqlens_q and cu_seqlens_k have shapes ", rows, " and ", keys,
            ", expected equal lists of offsets");
  const float scale = c.Attr<float>("scale");
  c.Require(std::isfinite(scale), "attribute scale is ", scale, ", expected a finite number");
  SetOutputs(c, DDim{q[0], q[1], v[2]});
}

// Offsets from 0 to `rows`, ascending.
std::vector<int64_t> OffsetsOf(const KernelContext& c, const char* slot, int64_t rows) {
  const std::vector<int64_t> offsets = IntValues(c, slot);
  bool good = offsets.front() == 0 && offsets.back() == rows;
  for (size_t i = 1; i < offsets.size(); ++i) good = good && offsets[i - 1] <= offsets[i];
  if (!good)
    throw ShapeError(StrCat("input ", slot, ": expected ascending offsets from 0 to the ", rows,
                            " rows that there are"));
  return offsets;
}

void RunUnpadded(KernelContext& c) {
  const Tensor &q = c.Input("q"), &k = c.Input("k"), &v = c.Input("v");
  Tensor& out = c.Output("out");
  const auto rows = OffsetsOf(c, "cu_seqlens_q", q.dims()[0]);
  const auto keys = OffsetsOf(c, "cu_seqlens_k", k.dims()[0]);
  Attention a;
  a.heads = q.dims()[1], a.kv_heads = k.dims()[1], a.dim = q.dims()[2], a.value_dim = v.dims()[2];
  a.q_strides = RowsFirst(Batched(q.dims())), a.k_strides = RowsFirst(Batched(k.dims()));
  a.v_strides = RowsFirst(Batched(v.dims())), a.out_strides = RowsFirst(Batched(out.dims()));
  a.scale = ScaleOf(c.Attr<float>("scale"), a.dim);
  a.causal = c.Attr<bool>("causal");
  for (size_t i = 0; i + 1 < rows.size(); ++i) {
    a.rows = rows[i + 1] - rows[i], a.keys = keys[i + 1] - keys[i];
    if (a.causal) RequireEqualLengths(a.rows, a.keys);
    a.q = q.data<float>() + rows[i] * a.q_strides.row;
    a.k = k.data<float>() + keys[i] * a.k_strides.row;
    a.v = v.data<float>() + keys[i] * a.v_strides.row;
    a.out = out.mutable_data<float>() + rows[i] * a.out_strides.row;
    RunAttention(a, c.threads());
  }
}

REGISTER_LITE_OP(flash_attn_unpadded)
    .Input("q")
    .Input("k")
    .Input("v")
    .Input("cu_seqlens_q")
    .Input("cu_seqlens_k")
    .OptionalInput("fixed_seed_offset")
    .OptionalInput("attn_mask")
    .Output("out")
    .OptionalOutput("softmax")
    .OptionalOutput("softmax_lse")
    .OptionalOutput("seed_offset")
    .RequiredAttr<float>("scale")
    .Attr<float>("dropout", 0.0f)
    .Attr<bool>("causal", false)
    .Attr<bool>("return_softmax", false)
    .Attr<bool>("is_test", false)
    .InferShape(InferUnpadded);
REGISTER_LITE_FUNCTION(flash_attn_unpadded, kHost, kFloat, kNCHW, RunUnpadded, def);

// memory_efficient_attention of [batch, rows, heads, dim], and
// variable_length_memory_efficient_attention of [batch, heads, rows, dim], whose batches have as
// many queries and keys as they say; rows behind them are zeros.
void RequireFloatMask(const InferContext& c, const char* slot) {
  if (c.Input(slot).dtype != DataType::kFP32)
    throw DataTypeError(
        StrCat("input ", slot, " is ", Name(c.Input(slot).dtype), ", expected float32"));
}

void RequireFiniteScale(const InferContext& c) {
  const float scale = c.Attr<float>("scale");
  c.Require(std::isfinite(scale), "attribute scale is ", scale, ", expected a finite number");
}

void InferMemoryEfficientAttention(InferContext& c) {
  RequireAttention(c, "query", "key", "value", 2);
  for (const char* slot : {"cu_seqlens_q", "cu_seqlens_k", "causal_diagonal", "seqlen_k"})
    c.Require(!c.HasInput(slot), "input ", slot, " is not supported");
  const DDim &q = c.Dims("query"), &k = c.Dims("key");
  if (c.Attr<bool>("causal")) RequireEqualLengths(q[1], k[1]);
  if (c.HasInput("bias")) {
    RequireFloatMask(c, "bias");
    MaskStrides(c.Dims("bias"), DDim{q[0], q[2], q[1], k[1]}, "bias");
  }
  RequireNoDropout(c, "dropout_p", c.Attr<double>("dropout_p"));
  RequireFiniteScale(c);
  c.SetOutput("output", DDim{q[0], q[1], q[2], c.Dims("value")[3]}, DataType::kFP32);
  c.SetOutput("logsumexp", DDim{0}, DataType::kFP32);
  c.SetOutput("seed_and_offset", DDim{0}, DataType::kInt64);
}

void RunMemoryEfficientAttention(KernelContext& c) {
  const Tensor &q = c.Input("query"), &k = c.Input("key"), &v = c.Input("value");
  Attention a;
  a.batch = q.dims()[0], a.heads = q.dims()[2], a.kv_heads = k.dims()[2];
  a.rows = q.dims()[1], a.keys = k.dims()[1], a.dim = q.dims()[3], a.value_dim = v.dims()[3];
  a.q = q.data<float>(), a.k = k.data<float>(), a.v = v.data<float>();
  a.q_strides = RowsFirst(q.dims()), a.k_strides = RowsFirst(k.dims());
  a.v_strides = RowsFirst(v.dims()), a.out_strides = RowsFirst(c.Output("output").dims());
  if (const Tensor* bias = c.InputOrNull("bias")) {
    a.mask = bias->data<float>();
    a.mask_strides = MaskStrides(bias->dims(), DDim{a.batch, a.heads, a.rows, a.keys}, "bias");
  }
  a.out = c.Output("output").mutable_data<float>();
  a.scale = ScaleOf(c.Attr<float>("scale"), a.dim);
  a.causal = c.Attr<bool>("causal");
  RunAttention(a, c.threads());
}

REGISTER_LITE_OP(memory_efficient_attention)
    .Input("query")
    .Input("key")
    .Input("value")
    .OptionalInput("bias")
    .OptionalInput("cu_seqlens_q")
    .OptionalInput("cu_seqlens_k")
    .OptionalInput("causal_diagonal")
    .OptionalInput("seqlen_k")
    .Output("output")
    .OptionalOutput("logsumexp")
    .OptionalOutput("seed_and_offset")
    .Attr<bool>("causal", false)
    .Attr<double>("dropout_p", 0.0)
    .Attr<float>("scale", -1.0f)
    .Attr<bool>("is_test", false)
    .InferShape(InferMemoryEfficientAttention);
REGISTER_LITE_FUNCTION(memory_efficient_attention, kHost, kFloat, kNCHW,
                       RunMemoryEfficientAttention, def);

void InferVariable(InferContext& c) {
  RequireAttention(c, "query", "key", "value", 1);
  const DDim &q = c.Dims("query"), &k = c.Dims("key");
  for (const char* slot : {"seq_lens", "kv_seq_lens"})
    c.Require(c.Dims(slot).production() == q[0], "input ", slot, " has shape ", c.Dims(slot),
              ", expected one number for each of ", q[0], " batches");
  c.Require(c.Attr<int32_t>("pre_cache_length") == 0, "attribute pre_cache_length is ",
            c.Attr<int32_t>("pre_cache_length"), ", which is not supported");
  if (c.HasInput("mask")) {
    RequireFloatMask(c, "mask");
    MaskStrides(c.Dims("mask"), DDim{q[0], q[1], q[2], k[2]}, "mask");
  }
  RequireFiniteScale(c);
  c.SetOutput("out", DDim{q[0], q[1], q[2], c.Dims("value")[3]}, DataType::kFP32);
}

// Lengths from 0 to `most`.
std::vector<int64_t> LengthsOf(const KernelContext& c, const char* slot, int64_t most) {
  std::vector<int64_t> lengths = IntValues(c, slot);
  for (const int64_t length : lengths)
    if (length < 0 || length > most)
      throw ShapeError(
          StrCat("input ", slot, " holds ", length, ", expected lengths from 0 to ", most));
  return lengths;
}

void RunVariable(KernelContext& c) {
  const Tensor &q = c.Input("query"), &k = c.Input("key"), &v = c.Input("value");
  Tensor& out = c.Output("out");
  const DDim &qs = q.dims(), &ks = k.dims();
  const auto rows = LengthsOf(c, "seq_lens", qs[2]), keys = LengthsOf(c, "kv_seq_lens", ks[2]);
  Attention a;
  a.heads = qs[1], a.kv_heads = ks[1], a.dim = qs[3], a.value_dim = v.dims()[3];
  a.q_strides = HeadsFirst(qs), a.k_strides = HeadsFirst(ks);
  a.v_strides = HeadsFirst(v.dims()), a.out_strides = HeadsFirst(out.dims());
  const Tensor* mask = c.InputOrNull("mask");
  if (mask != nullptr)
    a.mask_strides = MaskStrides(mask->dims(), DDim{qs[0], qs[1], qs[2], ks[2]}, "mask");
  a.scale = ScaleOf(c.Attr<float>("scale"), a.dim);
  a.causal = c.Attr<bool>("causal");
  float* to = out.mutable_data<float>();
  std::fill(to, to + out.numel(), 0.0f);
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto batch = static_cast<int64_t>(i);
    a.rows = rows[i], a.keys = keys[i];
    if (a.causal) RequireEqualLengths(a.rows, a.keys);
    a.q = q.data<float>() + batch * a.q_strides.batch;
    a.k = k.data<float>() + batch * a.k_strides.batch;
    a.v = v.data<float>() + batch * a.v_strides.batch;
    if (mask != nullptr) a.mask = mask->data<float>() + batch * a.mask_strides.batch;
    a.out = to + batch * a.out_strides.batch;
    RunAttention(a, c.threads());
  }
}

REGISTER_LITE_OP(variable_length_memory_efficient_attention)
    .Input("query")
    .Input("key")
    .Input("value")
    .Input("seq_lens")
    .Input("kv_seq_lens")
    .OptionalInput("mask")
    .Output("out")
    .RequiredAttr<float>("scale")
    .Attr<bool>("causal", false)
    .Attr<int32_t>("pre_cache_length", 0)
    .InferShape(InferVariable);
REGISTER_LITE_FUNCTION(variable_length_memory_efficient_attention, kHost, kFloat, kNCHW,
                       RunVariable, def);

}  // namespace
}  // namespace paddle::lite
