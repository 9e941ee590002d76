#include "lite/kernels/cpu/reshape.h"

namespace paddle::lite {
namespace {

void Infer(InferContext& c) { InferSqueeze(c, /*has_xshape=*/true); }

REGISTER_LITE_OP(squeeze2)
    .Input("X")
    .Output("Out")
    .OptionalOutput("XShape")
    .Attr<std::vector<int32_t>>("axes", {})
    .InferShape(Infer)
    .View("X", "Out");
REGISTER_LITE_FUNCTION(squeeze2, kHost, kAny, kNCHW, CopyReshaped, def);

}  // namespace
}  // namespace paddle::lite
