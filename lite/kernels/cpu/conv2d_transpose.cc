#include "lite/kernels/cpu/conv_nhwc.h"
#include "lite/kernels/cpu/conv_transpose.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(conv2d_transpose);
[[maybe_unused]] OpInfo& declared = DeclareConvTranspose(conv2d_transpose_op_info, 2);
REGISTER_LITE_FUNCTION(conv2d_transpose, kHost, kAny, kNCHW, RunConvTransposeReference, def);
REGISTER_LITE_KERNEL(conv2d_transpose, kHost, kFloat, kNHWC, ConvTransposeNhwc, def, true, true);

// As Paddle 3 writes it; here conv2d_transpose has the optional bias too.
REGISTER_LITE_OP(conv2d_transpose_bias);
[[maybe_unused]] OpInfo& declared_bias = DeclareConvTranspose(conv2d_transpose_bias_op_info, 2);
REGISTER_LITE_FUNCTION(conv2d_transpose_bias, kHost, kAny, kNCHW, RunConvTransposeReference, def);
REGISTER_LITE_KERNEL(conv2d_transpose_bias, kHost, kFloat, kNHWC, ConvTransposeNhwc, def, true,
                     true);

}  // namespace
}  // namespace paddle::lite
