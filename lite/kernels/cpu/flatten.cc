// flatten, and flatten2, which exporters give the output XShape.
#include "lite/kernels/cpu/reshape.h"

namespace paddle::lite {
namespace {

template <bool has_xshape>
void InferFlattenOp(InferContext& c) {
  InferFlatten(c, has_xshape);
}

OpInfo& DeclareFlatten(OpInfo& info) {
  return info.Input("X").Output("Out").Attr<int32_t>("axis", 1).View("X", "Out");
}

REGISTER_LITE_OP(flatten);
[[maybe_unused]] OpInfo& flatten_declared =
    DeclareFlatten(flatten_op_info).InferShape(InferFlattenOp<false>);
REGISTER_LITE_FUNCTION(flatten, kHost, kAny, kNCHW, CopyReshaped, def);

REGISTER_LITE_OP(flatten2);
[[maybe_unused]] OpInfo& flatten2_declared =
    DeclareFlatten(flatten2_op_info).OptionalOutput("XShape").InferShape(InferFlattenOp<true>);
REGISTER_LITE_FUNCTION(flatten2, kHost, kAny, kNCHW, CopyReshaped, def);

}  // namespace
}  // namespace paddle::lite
