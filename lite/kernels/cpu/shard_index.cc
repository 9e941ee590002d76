#include "lite/kernels/cpu/gather.h"

namespace paddle::lite {
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
