#include "lite/kernels/cpu/arg_reduce.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(arg_min)
    .Input("X")
    .Output("Out")
    .RequiredAttr<int64_t>("axis")
    .Attr<bool>("keepdims", false)
    .Attr<bool>("flatten", false)
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kInt64))
    .InferShape(InferArgReduce);
REGISTER_LITE_FUNCTION(arg_min, kHost, kAny, kNCHW, ArgReduce<false>, def);

}  // namespace
}  // namespace paddle::lite
