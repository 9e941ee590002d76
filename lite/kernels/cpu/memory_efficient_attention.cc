// memory_efficient_attention of [batch, rows, heads, dim], and
// variable_length_memory_efficient_attention of [batch, heads, rows, dim], whose batches have as
// many queries and keys as they say; rows behind them are zeros.
#include <algorithm>
#include <cmath>

#include "lite/kernels/cpu/attention.h"
#include "lite/kernels/cpu/data_movement.h"

namespace paddle::lite {
namespace {

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
