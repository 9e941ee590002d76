// squeeze, and squeeze2, which exporters give the output XShape.
#include "lite/kernels/cpu/reshape.h"

namespace paddle::lite {
namespace {

template <bool has_xshape>
void Infer(InferContext& c) {
  InferSqueeze(c, has_xshape);
}

OpInfo& Declare(OpInfo& info) {
  return info.Input("X").Output("Out").Attr<std::vector<int32_t>>("axes", {}).View("X", "Out");
}

REGISTER_LITE_OP(squeeze);
[[maybe_unused]] OpInfo& squeeze_declared = Declare(squeeze_op_info).InferShape(Infer<false>);
REGISTER_LITE_FUNCTION(squeeze, kHost, kAny, kNCHW, CopyReshaped, def);

REGISTER_LITE_OP(squeeze2);
[[maybe_unused]] OpInfo& squeeze2_declared =
    Declare(squeeze2_op_info).OptionalOutput("XShape").InferShape(Infer<true>);
REGISTER_LITE_FUNCTION(squeeze2, kHost, kAny, kNCHW, CopyReshaped, def);

}  // namespace
}  // namespace paddle::lite
