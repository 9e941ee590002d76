// Keys or values of new tokens behind those of earlier ones, as GroupQueryAttention of ONNX Runtime
// keeps them (docs/ContribOperators.md there).
//   Cache [batch, heads, P, dim], of which Lengths [batch] rows are in use,
//   X [batch, heads, S, dim],
//   Out [batch, heads, max(P, Total), dim]: X's rows from Lengths on, others as they were, or 0.
#include <algorithm>

#include "lite/core/base/thread_pool.h"
#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"

namespace paddle::lite {
namespace {

void InferKvCacheAppend(InferContext& c) {
  const TensorMeta &cache = c.Input("Cache"), &x = c.Input("X"), &lengths = c.Input("Lengths");
  if (cache.dtype != DataType::kFP32 || x.dtype != DataType::kFP32)
    throw DataTypeError(StrCat("inputs Cache and X are ", Name(cache.dtype), " and ", Name(x.dtype),
                               ", expected float32"));
  if (lengths.dtype != DataType::kInt64)
    throw DataTypeError(StrCat("input Lengths is ", Name(lengths.dtype), ", expected int64"));
  const DDim &a = cache.dims, &b = x.dims;
  c.Require(a.size() == 4 && b.size() == 4 && a[0] == b[0] && a[1] == b[1] && a[3] == b[3],
            "inputs Cache and X have shapes ", a, " and ", b,
            ", expected [batch, heads, length, dim] with different lengths at most");
  c.Require(lengths.dims.production() == a[0], "input Lengths has shape ", lengths.dims,
            ", expected ", a[0], " elements");
  const std::vector<int64_t> total = c.IntValues("Total");
  c.Require(total.size() == 1, "input Total has ", total.size(), " elements, expected one");
  DDim out = a;
  out[2] = std::max(a[2], total[0]);
  c.SetOutput("Out", out, DataType::kFP32);
}

void RunKvCacheAppend(KernelContext& c) {
  const Tensor &cache = c.Input("Cache"), &x = c.Input("X");
  const DDim& dims = c.Output("Out").dims();
  const int64_t before = cache.dims()[2], count = x.dims()[2], rows = dims[2], dim = dims[3];
  const int64_t* lengths = c.Input("Lengths").data<int64_t>();
  for (int64_t i = 0; i < dims[0]; ++i)
    if (lengths[i] < 0 || lengths[i] > before || lengths[i] + count > rows)
      throw ShapeError(StrCat("Lengths[", i, "] is ", lengths[i], ", expected at most ",
                              std::min(before, rows - count), " for a Cache of ", before, " rows, ",
                              count, " new ones and ", rows, " in all"));
  const float *old = cache.data<float>(), *fresh = x.data<float>();
  float* const out = c.Output("Out").mutable_data<float>();
  ParallelFor(c.threads(), dims[0] * dims[1], [&](int64_t i) {
    const int64_t used = lengths[i / dims[1]], behind = used + count;
    const float* const from = old + i * before * dim;
    float* const to = out + i * rows * dim;
    std::copy_n(from, used * dim, to);
    std::copy_n(fresh + i * count * dim, count * dim, to + used * dim);
    const int64_t kept = std::max(before, behind);
    if (kept > behind) std::copy(from + behind * dim, from + kept * dim, to + behind * dim);
    std::fill(to + kept * dim, to + rows * dim, 0.0f);
  });
}

REGISTER_LITE_OP(kv_cache_append)
    .Input("Cache")
    .Input("X")
    .Input("Lengths")
    .Input("Total")
    .Output("Out")
    .InferShape(InferKvCacheAppend);
REGISTER_LITE_FUNCTION(kv_cache_append, kHost, kFloat, kNCHW, RunKvCacheAppend, def);

}  // namespace
}  // namespace paddle::lite
