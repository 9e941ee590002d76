// fused_softmax_mask: softmax(X + Mask), Mask of one head for all. Its upper triangle form hides
// the keys behind each query instead.
#include <algorithm>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/math/softmax.h"

namespace paddle::lite {
namespace {

void InferFusedSoftmaxMask(InferContext& c) {
  RequireFloat(c, "X");
  RequireFloat(c, "Mask");
  const DDim &x = c.Dims("X"), &mask = c.Dims("Mask");
  c.Require(x.size() == 4, "input X has shape ", x, ", expected [batch, heads, queries, keys]");
  c.Require(mask == (DDim{x[0], 1, x[2], x[3]}), "input Mask has shape ", mask, ", expected ",
            DDim{x[0], 1, x[2], x[3]}, " for X of shape ", x);
  c.SetOutput("Out", x, DataType::kFP32);
}

void RunFusedSoftmaxMask(KernelContext& c) {
  const DDim& dims = c.Input("X").dims();
  const int64_t heads = dims[1], queries = dims[2], keys = dims[3];
  const float *x = c.Input("X").data<float>(), *mask = c.Input("Mask").data<float>();
  float* out = c.Output("Out").mutable_data<float>();
  if (keys == 0) return;
  math::ParallelRange(
      c.threads(), dims.Count(0, 3), math::kElementGrain / (8 * keys) + 1,
      [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          const float* from = x + i * keys;
          const float* hide = mask + (i / (heads * queries) * queries + i % queries) * keys;
          float* to = out + i * keys;
          std::transform(from, from + keys, hide, to, [](float a, float b) { return a + b; });
          math::Softmax(1, keys, 1, to, to, /*log=*/false, 1);
        }
      });
}

REGISTER_LITE_OP(fused_softmax_mask)
    .Input("X")
    .Input("Mask")
    .Output("Out")
    .InferShape(InferFusedSoftmaxMask);
REGISTER_LITE_FUNCTION(fused_softmax_mask, kHost, kFloat, kNCHW, RunFusedSoftmaxMask, def);

void InferTriangle(InferContext& c) {
  RequireFloat(c, "X");
  const DDim& x = c.Dims("X");
  c.Require(x.size() == 4 && x[2] == x[3], "input X has shape ", x,
            ", expected [batch, heads, n, n]");
  c.SetOutput("Out", x, DataType::kFP32);
}

void RunTriangle(KernelContext& c) {
  const DDim& dims = c.Input("X").dims();
  const int64_t n = dims[3];
  const float* x = c.Input("X").data<float>();
  float* out = c.Output("Out").mutable_data<float>();
  if (n == 0) return;
  math::ParallelRange(c.threads(), dims.Count(0, 3), math::kElementGrain / (8 * n) + 1,
                      [&](int64_t begin, int64_t end) {
                        for (int64_t i = begin; i < end; ++i) {
                          const int64_t seen = i % n + 1;
                          math::Softmax(1, seen, 1, x + i * n, out + i * n, /*log=*/false, 1);
                          std::fill(out + i * n + seen, out + (i + 1) * n, 0.0f);
                        }
                      });
}

REGISTER_LITE_OP(fused_softmax_mask_upper_triangle)
    .Input("X")
    .Output("Out")
    .InferShape(InferTriangle);
REGISTER_LITE_FUNCTION(fused_softmax_mask_upper_triangle, kHost, kFloat, kNCHW, RunTriangle, def);

}  // namespace
}  // namespace paddle::lite
