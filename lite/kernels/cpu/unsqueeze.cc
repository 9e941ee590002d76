// unsqueeze, and unsqueeze2, which exporters give the output XShape.
#include "lite/kernels/cpu/reshape.h"

namespace paddle::lite {
namespace {

template <bool has_xshape>
void InferUnsqueezeOp(InferContext& c) {
  InferUnsqueeze(c, has_xshape);
}

OpInfo& DeclareUnsqueeze(OpInfo& info) {
  return info.Input("X")
      .OptionalInput("AxesTensor")
      .OptionalInputs("AxesTensorList")
      .Output("Out")
      .Attr<std::vector<int32_t>>("axes", {})
      .View("X", "Out");
}

REGISTER_LITE_OP(unsqueeze);
[[maybe_unused]] OpInfo& unsqueeze_declared =
    DeclareUnsqueeze(unsqueeze_op_info).InferShape(InferUnsqueezeOp<false>);
REGISTER_LITE_FUNCTION(unsqueeze, kHost, kAny, kNCHW, CopyReshaped, def);

REGISTER_LITE_OP(unsqueeze2);
[[maybe_unused]] OpInfo& unsqueeze2_declared = DeclareUnsqueeze(unsqueeze2_op_info)
                                                   .OptionalOutput("XShape")
                                                   .InferShape(InferUnsqueezeOp<true>);
REGISTER_LITE_FUNCTION(unsqueeze2, kHost, kAny, kNCHW, CopyReshaped, def);

}  // namespace
}  // namespace paddle::lite
