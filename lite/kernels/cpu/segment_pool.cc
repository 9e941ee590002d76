#include <algorithm>
#include <limits>

#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

enum class SegmentPoolKind { kSum, kMean, kMax, kMin };

SegmentPoolKind PoolOf(const OpLite& op) {
  const auto& name = op.Attr<std::string>("pooltype");
  if (name == "SUM") return SegmentPoolKind::kSum;
  if (name == "MEAN") return SegmentPoolKind::kMean;
  if (name == "MAX") return SegmentPoolKind::kMax;
  if (name == "MIN") return SegmentPoolKind::kMin;
  throw LiteError(StrCat("attribute pooltype is '", name, "', expected SUM, MEAN, MAX or MIN"));
}

void InferSegmentPool(InferContext& c) {
  const TensorMeta &x = c.Input("X"), &ids = c.Input("SegmentIds");
  PoolOf(c.op());
  c.Require(x.dims.size() >= 1, "input X is 0-D, expected at least one dimension");
  c.Require(ids.dims.size() == 1 && ids.dims[0] == x.dims[0], "input SegmentIds has shape ",
            ids.dims, ", expected one number for each of the ", x.dims[0], " rows of X");
  if (ids.dtype != DataType::kInt32 && ids.dtype != DataType::kInt64)
    throw DataTypeError(
        StrCat("input SegmentIds is ", Name(ids.dtype), ", expected int32 or int64"));
}

// Rows of one number, which stand together, become the row of that number; others are 0.
template <typename T, typename Index>
void RunSegments(KernelContext& c) {
  const Tensor& input = c.Input("X");
  const Index* id = c.Input("SegmentIds").data<Index>();
  const SegmentPoolKind pool = PoolOf(c.op());
  const int64_t rows = input.dims()[0];
  for (int64_t i = 0; i < rows; ++i)
    if (id[i] < (i == 0 ? 0 : id[i - 1]) || id[i] == std::numeric_limits<Index>::max())
      throw ShapeError(StrCat("input SegmentIds holds ", id[i], " at ", i,
                              ", expected numbers from 0 in ascending order"));
  const int64_t segments = rows == 0 ? 0 : id[rows - 1] + 1;
  DDim dims = input.dims();
  dims[0] = segments;
  c.Output("Out").Allocate(dims, input.dtype());
  const int64_t width = dims.Count(1, dims.size());
  const T* x = input.data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  std::fill(out, out + segments * width, T{0});
  for (int64_t first = 0, last = 0; first < rows; first = last) {
    for (last = first; last < rows && id[last] == id[first];) ++last;
    T* to = out + id[first] * width;
    std::copy(x + first * width, x + (first + 1) * width, to);
    for (int64_t row = first + 1; row < last; ++row)
      for (int64_t i = 0; i < width; ++i) {
        const T value = x[row * width + i];
        if (pool == SegmentPoolKind::kMax)
          to[i] = std::max(to[i], value);
        else if (pool == SegmentPoolKind::kMin)
          to[i] = std::min(to[i], value);
        else
          to[i] = WrapAdd(to[i], value);
      }
    if (pool == SegmentPoolKind::kMean)
      for (int64_t i = 0; i < width; ++i) to[i] /= static_cast<T>(last - first);
  }
}

void RunSegmentPool(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("X").dtype(), [&](auto x) {
    ForTypes<int32_t, int64_t>(c, c.Input("SegmentIds").dtype(),
                               [&](auto id) { RunSegments<decltype(x), decltype(id)>(c); });
  });
  // What training needs of the means; nothing is kept here.
  if (c.HasOutput("SummedIds")) c.Output("SummedIds").Allocate({0, 1}, c.Input("X").dtype());
}

REGISTER_LITE_OP(segment_pool)
    .Input("X")
    .Input("SegmentIds")
    .Output("Out")
    .OptionalOutput("SummedIds")
    .Attr<std::string>("pooltype", "SUM")
    .InferShape(InferSegmentPool)
    .DataDependent();
REGISTER_LITE_FUNCTION(segment_pool, kHost, kAny, kNCHW, RunSegmentPool, def);

}  // namespace
}  // namespace paddle::lite
