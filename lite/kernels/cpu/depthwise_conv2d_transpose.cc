#include "lite/kernels/cpu/conv_nhwc.h"
#include "lite/kernels/cpu/conv_transpose.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(depthwise_conv2d_transpose);
[[maybe_unused]] OpInfo& declared = DeclareConvTranspose(depthwise_conv2d_transpose_op_info, 2);
REGISTER_LITE_FUNCTION(depthwise_conv2d_transpose, kHost, kAny, kNCHW, RunConvTransposeReference,
                       def);
REGISTER_LITE_KERNEL(depthwise_conv2d_transpose, kHost, kFloat, kNHWC, ConvTransposeNhwc, def, true,
                     true);

}  // namespace
}  // namespace paddle::lite
