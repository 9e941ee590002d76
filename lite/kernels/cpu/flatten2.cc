#include "lite/kernels/cpu/reshape.h"

namespace paddle::lite {
namespace {

void Infer(InferContext& c) { InferFlatten(c, /*has_xshape=*/true); }

REGISTER_LITE_OP(flatten2)
    .Input("X")
    .Output("Out")
    .OptionalOutput("XShape")
    .Attr<int32_t>("axis", 1)
    .InferShape(Infer)
    .View("X", "Out");
REGISTER_LITE_FUNCTION(flatten2, kHost, kAny, kNCHW, CopyReshaped, def);

}  // namespace
}  // namespace paddle::lite
