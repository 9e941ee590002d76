#include <algorithm>
#include <cstring>

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/indexing/gather.h"

namespace paddle::lite {
namespace {

// Ids is [n], [n, 1] or 0-D (one row, whose Updates lack the first dimension).
void InferScatter(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& ids = c.Input("Ids");
  const TensorMeta& updates = c.Input("Updates");
  RequireIndexType(ids.dtype, "Ids");
  const int rank = ids.dims.size();
  c.Require(!x.dims.empty() && (rank <= 1 || (rank == 2 && ids.dims[1] == 1)), "X has shape ",
            x.dims, ", Ids ", ids.dims, "; expected Ids of shape [n], [n, 1] or []");
  DDim expected;
  if (rank > 0) expected.push_back(ids.dims[0]);
  for (int i = 1; i < x.dims.size(); ++i) expected.push_back(x.dims[i]);
  c.Require(updates.dims == expected, "Updates has shape ", updates.dims, ", expected ", expected);
  if (updates.dtype != x.dtype)
    throw DataTypeError(StrCat("Updates is ", Name(updates.dtype), ", but X is ", Name(x.dtype)));
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

// With `overwrite` the last update of a row stays; otherwise a named row is the sum of its updates.
template <typename T>
void Scatter(const std::vector<int64_t>& ids, const T* updates, int64_t inner, bool overwrite,
             T* out) {
  const auto bytes = static_cast<size_t>(inner) * sizeof(T);
  if (bytes == 0) return;
  if (overwrite) {
    for (const int64_t id : ids) {
      std::memcpy(out + id * inner, updates, bytes);
      updates += inner;
    }
    return;
  }
  for (const int64_t id : ids) std::memset(out + id * inner, 0, bytes);
  for (const int64_t id : ids)
    for (int64_t i = 0; i < inner; ++i, ++updates)
      out[id * inner + i] = WrapAdd(out[id * inner + i], *updates);
}

template <typename T>
void RunScatterAs(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const auto ids = IntValues(c, "Ids");
  for (size_t i = 0; i < ids.size(); ++i)
    if (ids[i] < 0 || ids[i] >= x.dims()[0])
      throw ShapeError(StrCat("element ", i, " of Ids is ", ids[i],
                              ", expected an index from 0 to ", x.dims()[0] - 1));
  CopyElements(x, out);
  Scatter(ids, c.Input("Updates").data<T>(), x.dims().Count(1, x.dims().size()),
          c.Attr<bool>("overwrite"), out.mutable_data<T>());
}

REGISTER_LITE_OP(scatter)
    .Input("X")
    .Input("Ids")
    .Input("Updates")
    .Output("Out")
    .Attr<bool>("overwrite", true)
    .InferShape(InferScatter);
REGISTER_LITE_FUNCTION(scatter, kHost, kFloat, kNCHW, RunScatterAs<float>, def);
REGISTER_LITE_FUNCTION(scatter, kHost, kFP64, kNCHW, RunScatterAs<double>, def);
REGISTER_LITE_FUNCTION(scatter, kHost, kInt32, kNCHW, RunScatterAs<int32_t>, def);
REGISTER_LITE_FUNCTION(scatter, kHost, kInt64, kNCHW, RunScatterAs<int64_t>, def);

// Each row of Index (its last dimension) names a part of X to which its part of Updates is added.
void InferScatterNdAdd(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& updates = c.Input("Updates");
  const DDim expected = GatheredNdDims(x.dims, c.Input("Index"));
  c.Require(updates.dims == expected, "Updates has shape ", updates.dims, ", expected ", expected);
  if (updates.dtype != x.dtype)
    throw DataTypeError(StrCat("Updates is ", Name(updates.dtype), ", but X is ", Name(x.dtype)));
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

void RunScatterNdAdd(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Tensor& index = c.Input("Index");
  Tensor& out = c.Output("Out");
  const auto starts = NdPositions(x.dims(), index);
  const int64_t inner = x.dims().Count(static_cast<int>(index.dims().back()), x.dims().size());
  CopyElements(x, out);
  ForTypes<float, double, int32_t, int64_t, uint8_t, int16_t>(c, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = c.Input("Updates").data<T>();
    T* to = out.mutable_data<T>();
    for (const int64_t start : starts)
      for (int64_t i = start; i < start + inner; ++i, ++from) to[i] = WrapAdd(to[i], *from);
  });
}

REGISTER_LITE_OP(scatter_nd_add)
    .Input("X")
    .Input("Index")
    .Input("Updates")
    .Output("Out")
    .InferShape(InferScatterNdAdd);
REGISTER_LITE_FUNCTION(scatter_nd_add, kHost, kAny, kNCHW, RunScatterNdAdd, def);

// Row i of AddValue along the axis is added to row Index[i] of X.
void InferIndexAdd(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& index = c.Input("Index");
  const TensorMeta& value = c.Input("AddValue");
  RequireIndexType(index.dtype, "Index");
  const int axis = CanonicalAxis(c.Attr<int32_t>("axis"), x.dims.size(), "axis");
  c.Require(index.dims.size() == 1, "Index has shape ", index.dims, ", expected one dimension");
  DDim expected = x.dims;
  expected[axis] = index.dims[0];
  c.Require(value.dims == expected, "AddValue has shape ", value.dims, ", expected ", expected);
  if (value.dtype != x.dtype)
    throw DataTypeError(StrCat("AddValue is ", Name(value.dtype), ", but X is ", Name(x.dtype)));
  c.SetOutput("Out", x.dims, x.dtype);
}

void RunIndexAdd(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const DDim& dims = x.dims();
  const int axis = CanonicalAxis(c.Attr<int32_t>("axis"), dims.size(), "axis");
  auto rows = IntValues(c, "Index");
  for (int64_t& row : rows) {
    if (row < -dims[axis] || row >= dims[axis])
      throw ShapeError(StrCat("Index has ", row, " for axis ", axis, " of X of shape ", dims));
    if (row < 0) row += dims[axis];
  }
  CopyElements(x, out);
  const int64_t outer = dims.Count(0, axis), inner = dims.Count(axis + 1, dims.size());
  ForTypes<float, double, int32_t, int64_t, bool, uint8_t, int8_t, int16_t>(
      c, x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const T* from = c.Input("AddValue").data<T>();
        T* to = out.mutable_data<T>();
        for (int64_t o = 0; o < outer; ++o)
          for (const int64_t row : rows) {
            T* line = to + (o * dims[axis] + row) * inner;
            for (int64_t i = 0; i < inner; ++i, ++from) line[i] = WrapAdd(line[i], *from);
          }
      });
}

REGISTER_LITE_OP(index_add)
    .Input("X")
    .Input("Index")
    .Input("AddValue")
    .Output("Out")
    .Attr<int32_t>("axis", 0)
    .InferShape(InferIndexAdd);
REGISTER_LITE_FUNCTION(index_add, kHost, kAny, kNCHW, RunIndexAdd, def);

// One index along one axis of X. A bool index of several dims becomes as many of these.
struct AxisIndex {
  DDim dims;
  std::vector<int64_t> values;
};

bool IsMask(DataType dtype) { return dtype == DataType::kBool || dtype == DataType::kUInt8; }

// The first axis of X behind those that the indices name; checks types and the masks' shapes.
template <typename Context>
int IndexedAxes(const Context& c, const DDim& x) {
  int axis = 0;
  for (size_t i = 0; i < c.InputCount("indices"); ++i) {
    const auto& index = c.Input("indices", i);
    if constexpr (std::is_same_v<Context, InferContext>) {
      if (!IsMask(index.dtype)) RequireIndexType(index.dtype, "indices");
      const int rank = IsMask(index.dtype) ? index.dims.size() : 1;
      c.Require(rank > 0, "the mask indices[", i, "] is 0-D, expected a dimension or more");
      c.Require(axis + rank <= x.size(), "indices name ", axis + rank, " axes or more, but x is ",
                x);
      for (int d = 0; IsMask(index.dtype) && d < rank; ++d)
        c.Require(index.dims[d] == x[axis + d], "the mask indices[", i, "] has shape ", index.dims,
                  ", but x has shape ", x, " from axis ", axis);
      axis += rank;
    } else {
      axis += IsMask(index.dtype()) ? index.dims().size() : 1;
    }
  }
  return axis;
}

void InferIndexPut(InferContext& c) {
  const TensorMeta& x = c.Input("x");
  IndexedAxes(c, x.dims);
  if (c.Input("value").dtype != x.dtype)
    throw DataTypeError(
        StrCat("value is ", Name(c.Input("value").dtype), ", but x is ", Name(x.dtype)));
  c.SetOutput("out", x.dims, x.dtype);
}

// The coordinates of what a mask lets through, a list for each of its axes.
void AddMask(const Tensor& mask, std::vector<AxisIndex>* found) {
  const DDim& dims = mask.dims();
  const size_t first = found->size();
  const int64_t total = mask.numel();
  found->resize(first + static_cast<size_t>(dims.size()));
  for (int64_t i = 0; i < total; ++i) {
    if (Bytes(mask)[i] == 0) continue;
    int64_t rest = i;
    for (int d = dims.size() - 1; d >= 0; --d) {
      (*found)[first + static_cast<size_t>(d)].values.push_back(rest % dims[d]);
      rest /= dims[d];
    }
  }
  for (size_t i = first; i < found->size(); ++i)
    (*found)[i].dims = {static_cast<int64_t>((*found)[i].values.size())};
}

std::vector<AxisIndex> AxisIndices(const KernelContext& c) {
  std::vector<AxisIndex> found;
  for (size_t i = 0; i < c.InputCount("indices"); ++i) {
    const Tensor& index = c.Input("indices", i);
    if (IsMask(index.dtype()))
      AddMask(index, &found);
    else
      found.push_back({index.dims(), IntValues(index, "indices")});
  }
  return found;
}

// The position in X where each index of the indices, repeated to `dims`, points.
std::vector<int64_t> Starts(const std::vector<AxisIndex>& indices, const DDim& x, const DDim& dims,
                            int threads) {
  std::vector<int64_t> starts(static_cast<size_t>(dims.production()));
  const DDim strides = RowMajorStrides(x);
  for (size_t i = 0; i < indices.size(); ++i) {
    const int64_t size = x[static_cast<int>(i)];
    Tensor given, all;
    given.Allocate(indices[i].dims, DataType::kInt64);
    std::copy(indices[i].values.begin(), indices[i].values.end(), given.mutable_data<int64_t>());
    all.Allocate(dims, DataType::kInt64);
    BroadcastTo(given, all, threads);
    const int64_t* at = all.data<int64_t>();
    for (int64_t& start : starts) {
      if (*at < -size || *at >= size)
        throw ShapeError(
            StrCat("indices have ", *at, " for axis ", i, " of x, which has shape ", x));
      start += (*at < 0 ? *at + size : *at) * strides[static_cast<int>(i)];
      ++at;
    }
  }
  return starts;
}

void RunIndexPut(KernelContext& c) {
  const Tensor& x = c.Input("x");
  Tensor& out = c.Output("out");
  CopyElements(x, out);
  const int axes = IndexedAxes(c, x.dims());
  const auto indices = AxisIndices(c);
  DDim dims;
  for (const AxisIndex& index : indices) dims = BroadcastDims(dims, index.dims, -1);
  const auto starts = Starts(indices, x.dims(), dims, c.threads());
  for (int i = axes; i < x.dims().size(); ++i) dims.push_back(x.dims()[i]);
  Tensor value = c.Input("value");
  if (value.dims() != dims) {
    if (BroadcastDims(value.dims(), dims, -1) != dims)
      throw ShapeError(StrCat("value has shape ", value.dims(), ", but the indices name ", dims));
    Tensor repeated;
    repeated.Allocate(dims, value.dtype());
    BroadcastTo(value, repeated, c.threads());
    value = repeated;
  }
  const int64_t inner = x.dims().Count(axes, x.dims().size());
  const bool add = c.Attr<bool>("accumulate");
  ForTypes<float, double, int32_t, int64_t, bool, uint8_t, int8_t, int16_t>(
      c, x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const T* from = value.data<T>();
        T* to = out.mutable_data<T>();
        for (const int64_t start : starts)
          for (int64_t i = start; i < start + inner; ++i, ++from)
            to[i] = add ? WrapAdd(to[i], *from) : *from;
      });
}

REGISTER_LITE_OP(index_put)
    .Input("x")
    .Inputs("indices")
    .Input("value")
    .Output("out")
    .Attr<bool>("accumulate", false)
    .InferShape(InferIndexPut);
REGISTER_LITE_FUNCTION(index_put, kHost, kAny, kNCHW, RunIndexPut, def);

}  // namespace
}  // namespace paddle::lite
