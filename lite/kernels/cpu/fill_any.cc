#include "lite/kernels/cpu/fill.h"

namespace paddle::lite {
namespace {

void RunFillAny(KernelContext& c) {
  Fill(c.Output("Out"), FillValue::Of(c.Attr<float>("value")), c.threads());
}

REGISTER_LITE_OP(fill_any)
    .Input("X")
    .Output("Out")
    .Attr<float>("value", 0.0f)
    .InferShape(InferSameAs("X", "Out"))
    .ShapeOnly();
REGISTER_LITE_FUNCTION(fill_any, kHost, kAny, kNCHW, RunFillAny, def);

}  // namespace
}  // namespace paddle::lite
