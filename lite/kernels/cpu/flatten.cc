#include "lite/kernels/cpu/reshape.h"

namespace paddle::lite {
namespace {

void Infer(InferContext& c) { InferFlatten(c, /*has_xshape=*/false); }

REGISTER_LITE_OP(flatten).Input("X").Output("Out").Attr<int32_t>("axis", 1).InferShape(Infer).View(
    "X", "Out");
REGISTER_LITE_FUNCTION(flatten, kHost, kAny, kNCHW, CopyReshaped, def);

}  // namespace
}  // namespace paddle::lite
