// squeeze, and squeeze2, which exporters give the output XShape.
#include "lite/kernels/cpu/reshape.h"

namespace paddle::lite {
namespace {

template <bool has_xshape>
void InferSqueezeOp(InferContext& c) {
  InferSqueeze(c, has_xshape);
}

OpInfo& DeclareSqueeze(OpInfo& info) {
  return info.Input("X").Output("Out").Attr<std::vector<int32_t>>("axes", {}).View("X", "Out");
}

REGISTER_LITE_OP(squeeze);
[[maybe_unused]] OpInfo& squeeze_declared =
    DeclareSqueeze(squeeze_op_info).InferShape(InferSqueezeOp<false>);
REGISTER_LITE_FUNCTION(squeeze, kHost, kAny, kNCHW, CopyReshaped, def);

REGISTER_LITE_OP(squeeze2);
[[maybe_unused]] OpInfo& squeeze2_declared =
    DeclareSqueeze(squeeze2_op_info).OptionalOutput("XShape").InferShape(InferSqueezeOp<true>);
REGISTER_LITE_FUNCTION(squeeze2, kHost, kAny, kNCHW, CopyReshaped, def);

}  // namespace
}  // namespace paddle::lite
