#include <cstring>

#include "lite/kernels/cpu/gather.h"
#include "lite/kernels/cpu/one_hot.h"

namespace paddle::lite {
namespace {

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

}  // namespace paddle::lite
