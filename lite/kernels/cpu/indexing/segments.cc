#include "lite/kernels/cpu/indexing/segments.h"

#include <algorithm>
#include <limits>

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/indexing/gather.h"

namespace paddle::lite {
void CopySegments(const std::vector<Segments>& axes, const Tensor& x, Tensor& out, const void* fill,
                  int threads) {
  char* target = MutableBytes(out);
  if (out.numel() == 0) return;
  const DDim from = StridesOf(x), to = StridesOf(out);
  const int rank = out.dims().size();
  const int64_t size = ElementSize(out);
  std::vector<size_t> at(axes.size());
  for (;;) {
    math::CopyLoops loops;
    int64_t source = 0, destination = 0;
    bool filled = false;
    for (int i = 0; i < rank; ++i) {
      const auto axis = static_cast<size_t>(i);
      filled = filled || axes[axis][at[axis]].from < 0;
    }
    for (int i = 0; i < rank; ++i) {
      const auto axis = static_cast<size_t>(i);
      const Segment& s = axes[axis][at[axis]];
      loops.Add(s.size, filled ? 0 : s.step * from[i], to[i]);
      source += s.from * from[i];
      destination += s.to * to[i];
    }
    const void* element = filled ? fill : Bytes(x) + source * size;
    loops.Run(element, target + destination * size, static_cast<size_t>(size), threads);
    int i = rank - 1;
    for (; i >= 0; --i) {
      const auto axis = static_cast<size_t>(i);
      if (++at[axis] < axes[axis].size()) break;
      at[axis] = 0;
    }
    if (i < 0) return;
  }
}

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

// How often each row along the axis stands in Out.
template <typename Context>
std::vector<int64_t> RepeatsOf(const Context& c, int64_t rows) {
  std::vector<int64_t> repeats{c.template Attr<int32_t>("Repeats")};
  if (HasSlot(c, "RepeatsTensor")) repeats = IntValues(c, "RepeatsTensor");
  if (repeats.size() == 1) repeats.resize(static_cast<size_t>(rows), repeats[0]);
  if (static_cast<int64_t>(repeats.size()) != rows)
    throw ShapeError(StrCat("RepeatsTensor has ", repeats.size(), " elements, expected one or ",
                            rows, ", the size of the axis"));
  return repeats;
}

void InferRepeatInterleave(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int axis = CanonicalAxis(c.Attr<int32_t>("dim"), x.dims.size(), "dim");
  int64_t total = 0;
  for (const int64_t repeats : RepeatsOf(c, x.dims[axis]))
    c.Require(repeats >= 0 && !__builtin_add_overflow(total, repeats, &total), "repeating a row ",
              repeats, " times");
  DDim out = x.dims;
  out[axis] = total;
  c.SetOutput("Out", out, x.dtype);
}

void RunRepeatInterleave(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const DDim& dims = x.dims();
  const int axis = CanonicalAxis(c.Attr<int32_t>("dim"), dims.size(), "dim");
  Tensor index;
  index.Allocate({out.dims()[axis]}, DataType::kInt64);
  auto* to = index.mutable_data<int64_t>();
  int64_t row = 0;
  for (const int64_t repeats : RepeatsOf(c, dims[axis])) {
    for (int64_t i = 0; i < repeats; ++i) *to++ = row;
    ++row;
  }
  const GatherShape shape{dims.Count(0, axis), dims[axis], dims.Count(axis + 1, dims.size()), -1};
  GatherRows(x, index, "RepeatsTensor", shape, out, c.threads());
}

REGISTER_LITE_OP(repeat_interleave)
    .Input("X")
    .OptionalInput("RepeatsTensor")
    .Output("Out")
    .Attr<int32_t>("Repeats", 0)
    .Attr<int32_t>("dim", 0)
    .InferShape(InferRepeatInterleave);
REGISTER_LITE_FUNCTION(repeat_interleave, kHost, kAny, kNCHW, RunRepeatInterleave, def);

}  // namespace
}  // namespace paddle::lite
