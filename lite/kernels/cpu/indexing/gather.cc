#include "lite/kernels/cpu/indexing/gather.h"

#include <algorithm>
#include <cstring>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/indexing/along_axis.h"

namespace paddle::lite {
namespace {

constexpr int64_t kThreadBytes = 256 * 1024;

// Rows of as many bytes as a number has.
template <int64_t kBytes, typename Index>
void GatherNumbers(const char* x, const Index* index, int64_t count, const GatherShape& shape,
                   int64_t begin, int64_t end, char* out) {
  for (int64_t i = begin; i < end;) {
    const char* const table = x + i / count * shape.rows * kBytes;
    const int64_t stop = std::min(end, (i / count + 1) * count);
    for (const Index* at = index + i % count; i < stop; ++i, ++at) {
      if (*at == shape.zero_row)
        std::memset(out + i * kBytes, 0, kBytes);
      else
        std::memcpy(out + i * kBytes, table + *at * kBytes, kBytes);
    }
  }
}

template <typename Index>
void Gather(const char* x, const Index* index, int64_t count, const GatherShape& shape,
            int64_t row_bytes, char* out, int threads) {
  const int64_t total = shape.outer * count;
  auto copy = [&](int64_t begin, int64_t end) {
    if (row_bytes == 4) return GatherNumbers<4>(x, index, count, shape, begin, end, out);
    if (row_bytes == 8) return GatherNumbers<8>(x, index, count, shape, begin, end, out);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t row = index[i % count];
      char* to = out + i * row_bytes;
      if (row == shape.zero_row)
        std::memset(to, 0, static_cast<size_t>(row_bytes));
      else
        std::memcpy(to, x + (i / count * shape.rows + row) * row_bytes,
                    static_cast<size_t>(row_bytes));
    }
  };
  const int64_t parts =
      std::min({2 * static_cast<int64_t>(threads), total, total * row_bytes / kThreadBytes});
  if (threads <= 1 || parts <= 1) return copy(0, total);
  ParallelFor(threads, parts,
              [&](int64_t part) { copy(total * part / parts, total * (part + 1) / parts); });
}

template <typename Index>
void CheckAndGather(const Tensor& x, const Tensor& index, const char* slot,
                    const GatherShape& shape, Tensor& out, int threads) {
  const auto* rows = index.data<Index>();
  const int64_t count = index.numel();
  for (int64_t i = 0; i < count; ++i)
    if (rows[i] < 0 || rows[i] >= shape.rows)
      throw ShapeError(StrCat("element ", i, " of ", slot, " is ", rows[i],
                              ", expected an index from 0 to ", shape.rows - 1));
  char* to = MutableBytes(out);
  const int64_t row_bytes = shape.inner * ElementSize(x);
  if (row_bytes == 0 || count == 0 || shape.outer == 0) return;
  Gather(Bytes(x), rows, count, shape, row_bytes, to, threads);
}

}  // namespace

void RequireIndexType(DataType dtype, const char* slot) {
  if (dtype != DataType::kInt32 && dtype != DataType::kInt64)
    throw DataTypeError(StrCat("input ", slot, " is ", Name(dtype), ", expected int32 or int64"));
}

void GatherRows(const Tensor& x, const Tensor& index, const char* slot, const GatherShape& shape,
                Tensor& out, int threads) {
  if (index.dtype() == DataType::kInt32)
    CheckAndGather<int32_t>(x, index, slot, shape, out, threads);
  else
    CheckAndGather<int64_t>(x, index, slot, shape, out, threads);
}

namespace {

template <typename Context>
int AxisOf(const Context& c) {
  return CanonicalAxis(IntOf<int32_t>(c, "Axis", "axis"), DimsOf(c, "X").size(), "axis");
}

// Index is 1-D, [n, 1] or 0-D; a 0-D one removes the axis.
void InferGather(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& index = c.Input("Index");
  RequireIndexType(index.dtype, "Index");
  const int rank = index.dims.size();
  c.Require(rank <= 1 || (rank == 2 && index.dims[1] == 1), "Index has shape ", index.dims,
            ", expected [n], [n, 1] or []");
  const int axis = AxisOf(c);
  DDim out(x.dims.begin(), static_cast<size_t>(axis));
  if (rank > 0) out.push_back(index.dims[0]);
  for (int i = axis + 1; i < x.dims.size(); ++i) out.push_back(x.dims[i]);
  c.SetOutput("Out", out, x.dtype, x.lod);
}

void RunGather(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const int axis = AxisOf(c), rank = x.dims().size();
  const GatherShape shape{x.dims().Count(0, axis), x.dims()[axis], x.dims().Count(axis + 1, rank),
                          -1};
  GatherRows(x, c.Input("Index"), "Index", shape, c.Output("Out"), c.threads());
}

REGISTER_LITE_OP(gather)
    .Input("X")
    .Input("Index")
    .OptionalInput("Axis")
    .Output("Out")
    .Attr<int32_t>("axis", 0)
    .InferShape(InferGather);
REGISTER_LITE_FUNCTION(gather, kHost, kAny, kNCHW, RunGather, def);

// Each row of Index (its last dimension) names a part of X by its first coordinates.
void InferGatherNd(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.SetOutput("Out", GatheredNdDims(x.dims, c.Input("Index")), x.dtype, x.lod);
}

void RunGatherNd(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Tensor& index = c.Input("Index");
  const int depth = static_cast<int>(index.dims().back());
  const int64_t size = ElementSize(x), bytes = x.dims().Count(depth, x.dims().size()) * size;
  char* to = MutableBytes(c.Output("Out"));
  for (const int64_t start : NdPositions(x.dims(), index)) {
    if (bytes == 0) break;
    std::memcpy(to, Bytes(x) + start * size, static_cast<size_t>(bytes));
    to += bytes;
  }
}

template <typename Index>
std::vector<int64_t> Positions(const DDim& x, const Tensor& index) {
  const auto depth = static_cast<int>(index.dims().back());
  const int64_t inner = x.Count(depth, x.size());
  const auto* at = index.data<Index>();
  std::vector<int64_t> positions(
      static_cast<size_t>(index.dims().Count(0, index.dims().size() - 1)));
  for (int64_t& position : positions) {
    for (int i = 0; i < depth; ++i, ++at) {
      if (*at < -x[i] || *at >= x[i])
        throw ShapeError(StrCat("row ", &position - positions.data(), " of Index has ", *at,
                                " for axis ", i, " of X, which has shape ", x));
      position = position * x[i] + (*at < 0 ? *at + x[i] : *at);
    }
    position *= inner;
  }
  return positions;
}

REGISTER_LITE_OP(gather_nd).Input("X").Input("Index").Output("Out").InferShape(InferGatherNd);
REGISTER_LITE_FUNCTION(gather_nd, kHost, kAny, kNCHW, RunGatherNd, def);

}  // namespace

DDim GatheredNdDims(const DDim& x, const TensorMeta& index) {
  RequireIndexType(index.dtype, "Index");
  if (index.dims.empty() || index.dims.back() > x.size())
    throw ShapeError(StrCat("Index has shape ", index.dims, ", but X has shape ", x));
  DDim out = index.dims;
  out.pop_back();
  for (int i = static_cast<int>(index.dims.back()); i < x.size(); ++i) out.push_back(x[i]);
  return out;
}

std::vector<int64_t> NdPositions(const DDim& x, const Tensor& index) {
  return index.dtype() == DataType::kInt32 ? Positions<int32_t>(x, index)
                                           : Positions<int64_t>(x, index);
}

namespace {

// Ids and Parents are [steps, batch, beams]; Out holds the whole sequence of each last beam.
void InferGatherTree(InferContext& c) {
  const TensorMeta& ids = c.Input("Ids");
  const TensorMeta& parents = c.Input("Parents");
  RequireIndexType(ids.dtype, "Ids");
  c.Require(ids.dims.size() == 3 && ids.dims == parents.dims, "Ids has shape ", ids.dims,
            " and Parents ", parents.dims, "; expected the same three dimensions");
  if (parents.dtype != ids.dtype)
    throw DataTypeError(
        StrCat("Parents is ", Name(parents.dtype), ", but Ids is ", Name(ids.dtype)));
  c.SetOutput("Out", ids.dims, ids.dtype);
}

template <typename T>
void Trace(KernelContext& c) {
  const DDim& dims = c.Input("Ids").dims();
  const T* ids = c.Input("Ids").data<T>();
  const T* parents = c.Input("Parents").data<T>();
  T* to = c.Output("Out").mutable_data<T>();
  const int64_t beams = dims[2], step = dims[1] * dims[2];
  for (int64_t i = 0; dims[0] > 0 && i < step; ++i) {
    const int64_t first = i / beams * beams;
    int64_t beam = i - first;
    for (int64_t t = dims[0] - 1; t >= 0; --t) {
      to[t * step + i] = ids[t * step + first + beam];
      beam = parents[t * step + first + beam];
      if (t > 0 && (beam < 0 || beam >= beams))
        throw ShapeError(StrCat("Parents has ", beam, " in step ", t,
                                ", expected a beam from 0 to ", beams - 1));
    }
  }
}

void RunGatherTree(KernelContext& c) {
  if (c.Input("Ids").dtype() == DataType::kInt32)
    Trace<int32_t>(c);
  else
    Trace<int64_t>(c);
}

REGISTER_LITE_OP(gather_tree)
    .Input("Ids")
    .Input("Parents")
    .Output("Out")
    .InferShape(InferGatherTree);
REGISTER_LITE_FUNCTION(gather_tree, kHost, kAny, kNCHW, RunGatherTree, def);

// Of row i of X, [batch, size], the elements that row i of Index names.
void InferIndexSample(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& index = c.Input("Index");
  RequireIndexType(index.dtype, "Index");
  c.Require(x.dims.size() == 2 && index.dims.size() == 2 && x.dims[0] == index.dims[0],
            "X has shape ", x.dims, " and Index ", index.dims,
            "; expected two dimensions and as many rows");
  c.SetOutput("Out", index.dims, x.dtype, x.lod);
}

void RunIndexSample(KernelContext& c) {
  const Tensor& x = c.Input("X");
  TakeElements(x, AlongAxis(x.dims(), c.Input("Index"), 1), c.Output("Out"), c.threads());
}

REGISTER_LITE_OP(index_sample).Input("X").Input("Index").Output("Out").InferShape(InferIndexSample);
REGISTER_LITE_FUNCTION(index_sample, kHost, kAny, kNCHW, RunIndexSample, def);

void InferIndexSelect(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& index = c.Input("Index");
  RequireIndexType(index.dtype, "Index");
  const int rank = index.dims.size();
  c.Require(rank == 1 || (rank == 2 && index.dims[1] == 1), "Index has shape ", index.dims,
            ", expected [n] or [n, 1]");
  DDim out = x.dims;
  out[CanonicalAxis(c.Attr<int32_t>("dim"), x.dims.size(), "dim")] = index.dims[0];
  c.SetOutput("Out", out, x.dtype, x.lod);
}

void RunIndexSelect(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const int rank = x.dims().size();
  const int axis = CanonicalAxis(c.Attr<int32_t>("dim"), rank, "dim");
  const GatherShape shape{x.dims().Count(0, axis), x.dims()[axis], x.dims().Count(axis + 1, rank),
                          -1};
  GatherRows(x, c.Input("Index"), "Index", shape, c.Output("Out"), c.threads());
}

REGISTER_LITE_OP(index_select)
    .Input("X")
    .Input("Index")
    .Output("Out")
    .Attr<int32_t>("dim", 0)
    .InferShape(InferIndexSelect);
REGISTER_LITE_FUNCTION(index_select, kHost, kAny, kNCHW, RunIndexSelect, def);

}  // namespace
}  // namespace paddle::lite
