#include "lite/kernels/cpu/sort.h"

namespace paddle::lite {
namespace {

// The attribute `sorted` leaves the order open when false; the result is in order all the same.
void InferTopKV2(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int64_t k = IntOf<int32_t>(c, "K", "k");
  const int axis = AxisOrFirst(c.Attr<int32_t>("axis"), x.dims);
  c.Require(k >= 1 && k <= (x.dims.empty() ? 1 : x.dims[axis]), "k is ", k, ", but X has shape ",
            x.dims, " and axis is ", axis);
  DDim out = x.dims;
  if (!out.empty()) out[axis] = k;
  c.SetOutput("Out", out, x.dtype, x.lod);
  c.SetOutput("Indices", out, DataType::kInt64, x.lod);
}

void RunTopKV2(KernelContext& c) {
  const Tensor& x = c.Input("X");
  SortLines(x, {AxisOrFirst(c.Attr<int32_t>("axis"), x.dims()), c.Attr<bool>("largest")},
            c.Output("Out"), c.Output("Indices"), c.threads());
}

REGISTER_LITE_OP(top_k_v2)
    .Input("X")
    .OptionalInput("K")
    .Output("Out")
    .Output("Indices")
    .Attr<int32_t>("k", 1)
    .Attr<int32_t>("axis", -1)
    .Attr<bool>("largest", true)
    .InferShape(InferTopKV2);
REGISTER_LITE_FUNCTION(top_k_v2, kHost, kAny, kNCHW, RunTopKV2, def);

}  // namespace
}  // namespace paddle::lite
