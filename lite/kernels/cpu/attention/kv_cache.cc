// Caches of keys and values as GroupQueryAttention of ONNX Runtime keeps them
// (docs/ContribOperators.md there): floats, or integers of 8 bits or two of 4 in a byte.
//
// kv_cache_append: those of new tokens behind those of earlier ones.
//   Cache [batch, heads, P, dim], of which Lengths [batch] rows are in use,
//   X [batch, heads, S, dim],
//   Out [batch, heads, max(P, Total), dim]: X's rows from Lengths on, others as they were, or 0.
// kv_cache_keep: what a cache of the last few tokens keeps.
//   X [batch, heads, P, dim], Starts [batch],
//   Out [batch, heads, Count, dim]: rows from Starts on, and 0 behind the last.
#include <algorithm>

#include "lite/core/base/thread_pool.h"
#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"

namespace paddle::lite {
namespace {

void RequireRows(InferContext& c, const char* slot) {
  const TensorMeta& x = c.Input(slot);
  RequireType(c, slot, {DataType::kFP32, DataType::kInt8, DataType::kUInt8});
  c.Require(x.dims.size() == 4, "input ", slot, " has shape ", x.dims,
            ", expected [batch, heads, rows, dim]");
}

void RequireOfEach(InferContext& c, const char* slot, int64_t batch) {
  const TensorMeta& x = c.Input(slot);
  RequireType(c, slot, {DataType::kInt64});
  c.Require(x.dims.production() == batch, "input ", slot, " has shape ", x.dims, ", expected ",
            batch, " elements");
}

int64_t OneNumber(InferContext& c, const char* slot) {
  const std::vector<int64_t> values = c.IntValues(slot);
  c.Require(values.size() == 1, "input ", slot, " has ", values.size(), " elements, expected one");
  return values[0];
}

void InferKvCacheAppend(InferContext& c) {
  RequireRows(c, "Cache");
  RequireRows(c, "X");
  const TensorMeta &cache = c.Input("Cache"), &x = c.Input("X");
  if (cache.dtype != x.dtype)
    throw DataTypeError(StrCat("inputs Cache and X are ", Name(cache.dtype), " and ", Name(x.dtype),
                               ", expected one type"));
  const DDim &a = cache.dims, &b = x.dims;
  c.Require(a[0] == b[0] && a[1] == b[1] && a[3] == b[3], "inputs Cache and X have shapes ", a,
            " and ", b, ", expected [batch, heads, length, dim] with different lengths at most");
  RequireOfEach(c, "Lengths", a[0]);
  DDim out = a;
  out[2] = std::max(a[2], OneNumber(c, "Total"));
  c.SetOutput("Out", out, cache.dtype);
}

void RunKvCacheAppend(KernelContext& c) {
  const Tensor &cache = c.Input("Cache"), &x = c.Input("X");
  Tensor& out = c.Output("Out");
  const DDim& dims = out.dims();
  const int64_t before = cache.dims()[2], count = x.dims()[2], rows = dims[2];
  const int64_t size = dims[3] * static_cast<int64_t>(SizeOf(cache.dtype()));
  const int64_t* lengths = c.Input("Lengths").data<int64_t>();
  for (int64_t i = 0; i < dims[0]; ++i)
    if (lengths[i] < 0 || lengths[i] > before || lengths[i] + count > rows)
      throw ShapeError(StrCat("Lengths[", i, "] is ", lengths[i], ", expected at most ",
                              std::min(before, rows - count), " for a Cache of ", before, " rows, ",
                              count, " new ones and ", rows, " in all"));
  const auto *old = static_cast<const char*>(cache.raw_data()),
             *fresh = static_cast<const char*>(x.raw_data());
  char* const made = static_cast<char*>(out.MutableRaw(out.dtype()));
  ParallelFor(c.threads(), dims[0] * dims[1], [&](int64_t i) {
    const int64_t used = lengths[i / dims[1]], behind = used + count;
    const char* const from = old + i * before * size;
    char* const to = made + i * rows * size;
    std::copy_n(from, used * size, to);
    std::copy_n(fresh + i * count * size, count * size, to + used * size);
    const int64_t kept = std::max(before, behind);
    if (kept > behind) std::copy(from + behind * size, from + kept * size, to + behind * size);
    std::fill(to + kept * size, to + rows * size, 0);
  });
}

void InferKvCacheKeep(InferContext& c) {
  RequireRows(c, "X");
  const TensorMeta& x = c.Input("X");
  RequireOfEach(c, "Starts", x.dims[0]);
  DDim out = x.dims;
  out[2] = OneNumber(c, "Count");
  c.Require(out[2] >= 0, "input Count is ", out[2], ", expected at least 0");
  c.SetOutput("Out", out, x.dtype);
}

void RunKvCacheKeep(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const DDim& dims = out.dims();
  const int64_t before = x.dims()[2], rows = dims[2];
  const int64_t size = dims[3] * static_cast<int64_t>(SizeOf(x.dtype()));
  const int64_t* starts = c.Input("Starts").data<int64_t>();
  for (int64_t i = 0; i < dims[0]; ++i)
    if (starts[i] < 0 || starts[i] > before)
      throw ShapeError(StrCat("Starts[", i, "] is ", starts[i], ", expected 0 to ", before));
  const char* const from = static_cast<const char*>(x.raw_data());
  char* const made = static_cast<char*>(out.MutableRaw(out.dtype()));
  ParallelFor(c.threads(), dims[0] * dims[1], [&](int64_t i) {
    const int64_t start = starts[i / dims[1]], kept = std::min(rows, before - start);
    char* const to = made + i * rows * size;
    std::copy_n(from + (i * before + start) * size, kept * size, to);
    std::fill(to + kept * size, to + rows * size, 0);
  });
}

REGISTER_LITE_OP(kv_cache_append)
    .Input("Cache")
    .Input("X")
    .Input("Lengths")
    .Input("Total")
    .Output("Out")
    .InferShape(InferKvCacheAppend);
REGISTER_LITE_FUNCTION(kv_cache_append, kHost, kAny, kNCHW, RunKvCacheAppend, def);

REGISTER_LITE_OP(kv_cache_keep)
    .Input("X")
    .Input("Starts")
    .Input("Count")
    .Output("Out")
    .InferShape(InferKvCacheKeep);
REGISTER_LITE_FUNCTION(kv_cache_keep, kHost, kAny, kNCHW, RunKvCacheKeep, def);

}  // namespace
}  // namespace paddle::lite
