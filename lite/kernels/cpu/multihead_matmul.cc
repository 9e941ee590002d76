// Self-attention with its projection: Input [batch, rows, width] times W [width, 3, heads, dim]
// plus Bias gives queries, keys and values; BiasQK is added to the scores, which alpha scales.
#include <cmath>

#include "lite/kernels/cpu/attention.h"
#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/math/gemm.h"

namespace paddle::lite {
namespace {

void InferMultiheadMatmul(InferContext& c) {
  for (const char* slot : {"Input", "W", "Bias"}) RequireFloat(c, slot);
  const DDim &x = c.Dims("Input"), &w = c.Dims("W");
  const int64_t heads = c.Attr<int32_t>("head_number");
  c.Require(x.size() == 3, "input Input has shape ", x, ", expected [batch, rows, width]");
  c.Require(heads > 0 && w.size() >= 2 && w[0] == x[2] && w.Count(1, w.size()) % (3 * heads) == 0 &&
                w.Count(1, w.size()) > 0,
            "input W has shape ", w, ", expected [", x[2], ", 3, ", heads, ", dim]");
  c.Require(c.Dims("Bias").production() == w.Count(1, w.size()), "input Bias has shape ",
            c.Dims("Bias"), ", expected ", w.Count(1, w.size()), " elements");
  const bool usual =
      !c.Attr<bool>("transpose_Q") && c.Attr<bool>("transpose_K") && !c.Attr<bool>("transpose_V");
  c.Require(usual,
            "attributes transpose_Q, transpose_K and transpose_V, expected false, true and "
            "false");
  const float alpha = c.Attr<float>("alpha");
  c.Require(std::isfinite(alpha), "attribute alpha is ", alpha, ", expected a finite number");
  if (c.HasInput("BiasQK")) {
    RequireFloat(c, "BiasQK");
    MaskStrides(c.Dims("BiasQK"), DDim{x[0], heads, x[1], x[1]}, "BiasQK");
  }
  c.SetOutput("Out", DDim{x[0], x[1], w.Count(1, w.size()) / 3}, DataType::kFP32);
}

void RunMultiheadMatmul(KernelContext& c) {
  const DDim &x = c.Input("Input").dims(), &w = c.Input("W").dims();
  const int64_t columns = w.Count(1, w.size()), width = columns / 3;
  std::vector<float> made(static_cast<size_t>(x[0] * x[1] * columns));
  math::MatMul mm;
  mm.m = x[0] * x[1], mm.n = columns, mm.k = x[2];
  mm.a = c.Input("Input").data<float>(), mm.lda = x[2];
  mm.b = c.Input("W").data<float>(), mm.ldb = columns;
  mm.c = made.data(), mm.ldc = columns;
  math::Epilogue epilogue;
  epilogue.bias = c.Input("Bias").data<float>();
  math::GemmUnpacked(c.threads(), mm, epilogue);
  Attention a;
  a.batch = x[0], a.heads = a.kv_heads = c.Attr<int32_t>("head_number");
  a.rows = a.keys = x[1], a.dim = a.value_dim = width / a.heads;
  a.q = made.data(), a.k = a.q + width, a.v = a.k + width;
  a.q_strides = a.k_strides = a.v_strides = {x[1] * columns, a.dim, columns};
  a.out_strides = {x[1] * width, a.dim, width};
  if (const Tensor* bias = c.InputOrNull("BiasQK")) {
    a.mask = bias->data<float>();
    a.mask_strides = MaskStrides(bias->dims(), DDim{a.batch, a.heads, a.rows, a.keys}, "BiasQK");
  }
  a.out = c.Output("Out").mutable_data<float>();
  a.scale = c.Attr<float>("alpha");
  RunAttention(a, c.threads());
}

REGISTER_LITE_OP(multihead_matmul)
    .Input("Input")
    .Input("W")
    .Input("Bias")
    .OptionalInput("BiasQK")
    .Output("Out")
    .Attr<bool>("transpose_Q", false)
    .Attr<bool>("transpose_K", true)
    .Attr<bool>("transpose_V", false)
    .Attr<float>("alpha", 1.0f)
    .Attr<int32_t>("head_number", 1)
    .InferShape(InferMultiheadMatmul);
REGISTER_LITE_FUNCTION(multihead_matmul, kHost, kFloat, kNCHW, RunMultiheadMatmul, def);

}  // namespace
}  // namespace paddle::lite
