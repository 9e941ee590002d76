#include "lite/kernels/cpu/indexing/lookup_table.h"

#include <cstring>

#include "lite/kernels/cpu/indexing/gather.h"
#include "lite/kernels/cpu/indexing/one_hot.h"

namespace paddle::lite {
namespace {

void InferLookupTableOp(InferContext& c) { InferLookupTable(c, true); }

REGISTER_LITE_OP(lookup_table)
    .Input("W")
    .Input("Ids")
    .Output("Out")
    .Attr<int64_t>("padding_idx", -1)
    .InferShape(InferLookupTableOp);
REGISTER_LITE_FUNCTION(lookup_table, kHost, kAny, kNCHW, LookupTable, def);

}  // namespace

void InferLookupTable(InferContext& c, bool drops_last) {
  const TensorMeta& w = c.Input("W");
  const TensorMeta& ids = c.Input("Ids");
  c.Require(w.dims.size() == 2, "W has shape ", w.dims, ", expected two dimensions");
  RequireIndexType(ids.dtype, "Ids");
  DDim out = ids.dims;
  if (drops_last) {
    c.Require(!out.empty() && out.back() == 1, "Ids has shape ", out,
              ", expected a last dimension of 1");
    out.pop_back();
  }
  out.push_back(w.dims[1]);
  c.SetOutput("Out", out, w.dtype, ids.lod);
}

void LookupTable(KernelContext& c) {
  const Tensor& w = c.Input("W");
  const GatherShape shape{1, w.dims()[0], w.dims()[1], c.Attr<int64_t>("padding_idx")};
  GatherRows(w, c.Input("Ids"), "Ids", shape, c.Output("Out"), c.threads());
}

namespace {

void InferLookupTableV2(InferContext& c) { InferLookupTable(c, false); }

REGISTER_LITE_OP(lookup_table_v2)
    .Input("W")
    .Input("Ids")
    .Output("Out")
    .Attr<int64_t>("padding_idx", -1)
    .InferShape(InferLookupTableV2);
REGISTER_LITE_FUNCTION(lookup_table_v2, kHost, kAny, kNCHW, LookupTable, def);

// A row of W is its smallest and largest number, then the row itself in bytes, four in the place
// of a float: byte b stands for min + b * (max - min) / 256.
void InferLookupTableDequant(InferContext& c) {
  const TensorMeta& w = c.Input("W");
  const TensorMeta& ids = c.Input("Ids");
  RequireIndexType(ids.dtype, "Ids");
  c.Require(w.dims.size() == 2 && w.dims[1] >= 2, "W has shape ", w.dims,
            ", expected two dimensions, the last of at least 2");
  c.Require(!ids.dims.empty() && ids.dims.back() == 1, "Ids has shape ", ids.dims,
            ", expected a last dimension of 1");
  DDim out = ids.dims;
  out[out.size() - 1] = (w.dims[1] - 2) * 4;
  c.SetOutput("Out", out, DataType::kFP32, ids.lod);
}

void RunLookupTableDequant(KernelContext& c) {
  const Tensor& w = c.Input("W");
  const int64_t rows = w.dims()[0], width = w.dims()[1], count = (width - 2) * 4;
  const int64_t padding = c.Attr<int64_t>("padding_idx");
  float* to = c.Output("Out").mutable_data<float>();
  for (const int64_t id : IntValues(c, "Ids")) {
    if (id < 0 || id >= rows)
      throw ShapeError(StrCat("Ids has ", id, ", expected an index from 0 to ", rows - 1));
    const float* row = w.data<float>() + id * width;
    const auto* bytes = reinterpret_cast<const uint8_t*>(row + 2);
    const float scale = (row[1] - row[0]) / 256;
    for (int64_t i = 0; i < count; ++i)
      to[i] = id == padding ? 0 : scale * static_cast<float>(bytes[i]) + row[0];
    to += count;
  }
}

REGISTER_LITE_OP(lookup_table_dequant)
    .Input("W")
    .Input("Ids")
    .Output("Out")
    .Attr<int64_t>("padding_idx", -1)
    .InferShape(InferLookupTableDequant);
REGISTER_LITE_FUNCTION(lookup_table_dequant, kHost, kFloat, kNCHW, RunLookupTableDequant, def);

void InferOneHotOp(InferContext& c) { InferOneHot(c, 1); }

REGISTER_LITE_OP(one_hot)
    .Input("X")
    .OptionalInput("depth_tensor")
    .Output("Out")
    .Attr<int32_t>("depth", -1)
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kFP32))
    .Attr<bool>("allow_out_of_range", false)
    .InferShape(InferOneHotOp);
REGISTER_LITE_FUNCTION(one_hot, kHost, kAny, kNCHW, OneHot, def);

void InferOneHotV2(InferContext& c) { InferOneHot(c, 0); }

template <typename Index>
void RunOneHotV2(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const auto* index = x.data<Index>();
  const int64_t count = x.numel(), depth = out.dims().back(), size = ElementSize(out);
  const bool allow = c.Attr<bool>("allow_out_of_range");
  char one[kMaxElementSize];
  StoreElement(FillValue::Of(1), out.dtype(), one);
  char* to = MutableBytes(out);
  std::memset(to, 0, out.memory_size());
  for (int64_t i = 0; i < count; ++i) {
    if (index[i] >= 0 && index[i] < depth)
      std::memcpy(to + (i * depth + index[i]) * size, one, static_cast<size_t>(size));
    else if (!allow)
      throw ShapeError(StrCat("element ", i, " of X is ", index[i],
                              ", expected an index from 0 to ", depth - 1));
  }
}

REGISTER_LITE_OP(one_hot_v2)
    .Input("X")
    .OptionalInput("depth_tensor")
    .Output("Out")
    .Attr<int32_t>("depth", -1)
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kFP32))
    .Attr<bool>("allow_out_of_range", false)
    .InferShape(InferOneHotV2);
REGISTER_LITE_FUNCTION(one_hot_v2, kHost, kAny, kNCHW, OneHot, def);

}  // namespace

void InferOneHot(InferContext& c, int dropped) {
  const TensorMeta& x = c.Input("X");
  RequireIndexType(x.dtype, "X");
  const int64_t depth = IntOf<int32_t>(c, "depth_tensor", "depth");
  c.Require(depth >= 1, "depth is ", depth, ", expected at least 1");
  DDim out = x.dims;
  if (dropped != 0) {
    c.Require(!out.empty() && out.back() == 1, "X has shape ", out,
              ", expected a last dimension of 1");
    out.pop_back();
  }
  out.push_back(depth);
  c.SetOutput("Out", out, DataTypeFrom(c.Attr<int32_t>("dtype"), "dtype"), x.lod);
}

void OneHot(KernelContext& c) {
  if (c.Input("X").dtype() == DataType::kInt32)
    RunOneHotV2<int32_t>(c);
  else
    RunOneHotV2<int64_t>(c);
}

namespace {

void InferShardIndex(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireIndexType(x.dtype, "X");
  const int64_t total = c.Attr<int32_t>("index_num"), shards = c.Attr<int32_t>("nshards");
  const int64_t shard = c.Attr<int32_t>("shard_id");
  c.Require(total > 0 && shards > 0 && shard >= 0 && shard < shards, "shard ", shard, " of ",
            shards, " for ", total, " indexes");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

// Indexes that lie in the shard, counted from its begin; the others become ignore_value.
template <typename T>
void RunShardIndexAs(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const int64_t total = c.Attr<int32_t>("index_num"), shards = c.Attr<int32_t>("nshards");
  const int64_t size = (total + shards - 1) / shards, count = x.numel();
  const int64_t begin = c.Attr<int32_t>("shard_id") * size;
  const T* from = x.data<T>();
  T* to = c.Output("Out").mutable_data<T>();
  for (int64_t i = 0; i < count; ++i) {
    if (from[i] < 0 || from[i] >= total)
      throw ShapeError(
          StrCat("element ", i, " of X is ", from[i], ", expected an index from 0 to ", total - 1));
    const bool inside = from[i] >= begin && from[i] < begin + size;
    to[i] = static_cast<T>(inside ? from[i] - begin : c.Attr<int32_t>("ignore_value"));
  }
}

REGISTER_LITE_OP(shard_index)
    .Input("X")
    .Output("Out")
    .RequiredAttr<int32_t>("index_num")
    .RequiredAttr<int32_t>("nshards")
    .RequiredAttr<int32_t>("shard_id")
    .Attr<int32_t>("ignore_value", -1)
    .InferShape(InferShardIndex);
REGISTER_LITE_FUNCTION(shard_index, kHost, kInt32, kNCHW, RunShardIndexAs<int32_t>, def);
REGISTER_LITE_FUNCTION(shard_index, kHost, kInt64, kNCHW, RunShardIndexAs<int64_t>, def);

}  // namespace
}  // namespace paddle::lite
