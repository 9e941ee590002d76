#include "lite/kernels/cpu/reshape.h"

namespace paddle::lite {
namespace {

void Infer(InferContext& c) { InferSqueeze(c, /*has_xshape=*/false); }

REGISTER_LITE_OP(squeeze)
    .Input("X")
    .Output("Out")
    .Attr<std::vector<int32_t>>("axes", {})
    .InferShape(Infer)
    .View("X", "Out");
REGISTER_LITE_FUNCTION(squeeze, kHost, kAny, kNCHW, CopyReshaped, def);

}  // namespace
}  // namespace paddle::lite
