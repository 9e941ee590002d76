#include "lite/kernels/cpu/fill.h"

namespace paddle::lite {
namespace {

void InferFillAnyLike(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int dtype = c.Attr<int32_t>("dtype");
  c.SetOutput("Out", x.dims, dtype == -1 ? x.dtype : DataTypeFrom(dtype, "dtype"), x.lod);
}

void RunFillAnyLike(KernelContext& c) {
  Fill(c.Output("Out"), FillValue::Of(c.Attr<float>("value")), c.threads());
}

REGISTER_LITE_OP(fill_any_like)
    .Input("X")
    .Output("Out")
    .Attr<float>("value", 0.0f)
    .Attr<int32_t>("dtype", -1)
    .InferShape(InferFillAnyLike)
    .ShapeOnly();
REGISTER_LITE_FUNCTION(fill_any_like, kHost, kAny, kNCHW, RunFillAnyLike, def);

}  // namespace
}  // namespace paddle::lite
