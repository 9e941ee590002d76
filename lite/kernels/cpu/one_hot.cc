#include "lite/kernels/cpu/one_hot.h"

namespace paddle::lite {
namespace {

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

}  // namespace
}  // namespace paddle::lite
