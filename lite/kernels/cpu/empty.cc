#include "lite/kernels/cpu/fill.h"

namespace paddle::lite {
namespace {

void InferEmpty(InferContext& c) {
  c.SetOutput("Out", GivenShape(c), DataTypeFrom(c.Attr<int32_t>("dtype"), "dtype"));
}

// A model must not see what the memory held before.
void RunEmpty(KernelContext& c) { Fill(c.Output("Out"), FillValue::Of(0), c.threads()); }

REGISTER_LITE_OP(empty)
    .OptionalInput("ShapeTensor")
    .OptionalInputs("ShapeTensorList")
    .Output("Out")
    .Attr<std::vector<int64_t>>("shape", {})
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kFP32))
    .InferShape(InferEmpty);
REGISTER_LITE_FUNCTION(empty, kHost, kAny, kNCHW, RunEmpty, def);

}  // namespace
}  // namespace paddle::lite
