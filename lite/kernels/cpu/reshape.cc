#include "lite/kernels/cpu/reshape.h"

namespace paddle::lite {
namespace {

void Infer(InferContext& c) { InferReshape(c, /*has_xshape=*/false); }

REGISTER_LITE_OP(reshape)
    .Input("X")
    .OptionalInput("Shape")
    .OptionalInputs("ShapeTensor")
    .Output("Out")
    .Attr<std::vector<int32_t>>("shape", {})
    .InferShape(Infer)
    .View("X", "Out");
REGISTER_LITE_FUNCTION(reshape, kHost, kAny, kNCHW, CopyReshaped, def);

}  // namespace
}  // namespace paddle::lite
