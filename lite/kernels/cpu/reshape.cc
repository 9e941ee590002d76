// reshape, and reshape2, which exporters give the output XShape.
#include "lite/kernels/cpu/reshape.h"

namespace paddle::lite {
namespace {

template <bool has_xshape>
void InferReshapeOp(InferContext& c) {
  InferReshape(c, has_xshape);
}

OpInfo& DeclareReshape(OpInfo& info) {
  return info.Input("X")
      .OptionalInput("Shape")
      .OptionalInputs("ShapeTensor")
      .Output("Out")
      .Attr<std::vector<int32_t>>("shape", {})
      .View("X", "Out");
}

REGISTER_LITE_OP(reshape);
[[maybe_unused]] OpInfo& reshape_declared =
    DeclareReshape(reshape_op_info).InferShape(InferReshapeOp<false>);
REGISTER_LITE_FUNCTION(reshape, kHost, kAny, kNCHW, CopyReshaped, def);

REGISTER_LITE_OP(reshape2);
[[maybe_unused]] OpInfo& reshape2_declared =
    DeclareReshape(reshape2_op_info).OptionalOutput("XShape").InferShape(InferReshapeOp<true>);
REGISTER_LITE_FUNCTION(reshape2, kHost, kAny, kNCHW, CopyReshaped, def);

}  // namespace
}  // namespace paddle::lite
