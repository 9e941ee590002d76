// unsqueeze, and unsqueeze2, which exporters give the output XShape.
#include "lite/kernels/cpu/reshape.h"

namespace paddle::lite {
namespace {

template <bool has_xshape>
void Infer(InferContext& c) {
  InferUnsqueeze(c, has_xshape);
}

OpInfo& Declare(OpInfo& info) {
  return info.Input("X")
      .OptionalInput("AxesTensor")
      .OptionalInputs("AxesTensorList")
      .Output("Out")
      .Attr<std::vector<int32_t>>("axes", {})
      .View("X", "Out");
}

REGISTER_LITE_OP(unsqueeze);
[[maybe_unused]] OpInfo& unsqueeze_declared = Declare(unsqueeze_op_info).InferShape(Infer<false>);
REGISTER_LITE_FUNCTION(unsqueeze, kHost, kAny, kNCHW, CopyReshaped, def);

REGISTER_LITE_OP(unsqueeze2);
[[maybe_unused]] OpInfo& unsqueeze2_declared =
    Declare(unsqueeze2_op_info).OptionalOutput("XShape").InferShape(Infer<true>);
REGISTER_LITE_FUNCTION(unsqueeze2, kHost, kAny, kNCHW, CopyReshaped, def);

}  // namespace
}  // namespace paddle::lite
