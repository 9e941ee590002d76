// calib of a constant.
#include "lite/kernels/cpu/calib.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(calib_once)
    .Input("Input")
    .Output("Out")
    .Attr<float>("scale", 1.0f)
    .Attr<float>("threshold", 0.0f)
    .Attr<int>("round_type", 1)
    .Attr<std::string>("__@kernel_type_attr@__", "")
    .InferShape(InferCalib);
REGISTER_LITE_FUNCTION(calib_once, kHost, kAny, kNCHW, RunCalib, def);

}  // namespace
}  // namespace paddle::lite
