#include "lite/kernels/cpu/reshape.h"

namespace paddle::lite {
namespace {

void Infer(InferContext& c) { InferUnsqueeze(c, /*has_xshape=*/true); }

REGISTER_LITE_OP(unsqueeze2)
    .Input("X")
    .OptionalInput("AxesTensor")
    .OptionalInputs("AxesTensorList")
    .Output("Out")
    .OptionalOutput("XShape")
    .Attr<std::vector<int32_t>>("axes", {})
    .InferShape(Infer)
    .View("X", "Out");
REGISTER_LITE_FUNCTION(unsqueeze2, kHost, kAny, kNCHW, CopyReshaped, def);

}  // namespace
}  // namespace paddle::lite
