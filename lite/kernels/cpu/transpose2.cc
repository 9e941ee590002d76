#include "lite/kernels/cpu/transpose.h"

namespace paddle::lite {
namespace {

void Infer(InferContext& c) { InferTranspose(c, /*has_xshape=*/true); }

REGISTER_LITE_OP(transpose2)
    .Input("X")
    .Output("Out")
    .OptionalOutput("XShape")
    .RequiredAttr<std::vector<int32_t>>("axis")
    .InferShape(Infer);
REGISTER_LITE_FUNCTION(transpose2, kHost, kAny, kNCHW, Transpose, def);

}  // namespace
}  // namespace paddle::lite
