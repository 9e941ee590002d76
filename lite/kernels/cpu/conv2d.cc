#include "lite/kernels/cpu/conv.h"
#include "lite/kernels/cpu/conv_nhwc.h"
#include "lite/kernels/cpu/int8.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(conv2d);
[[maybe_unused]] OpInfo& declared = DeclareInt8(DeclareConv(conv2d_op_info, 2));
REGISTER_LITE_FUNCTION(conv2d, kHost, kAny, kNCHW, RunConvReference, def);
REGISTER_LITE_KERNEL(conv2d, kHost, kFloat, kNHWC, ConvNhwc, def, true, true, true, true);

}  // namespace
}  // namespace paddle::lite
