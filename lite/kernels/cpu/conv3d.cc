#include "lite/kernels/cpu/conv.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(conv3d);
[[maybe_unused]] OpInfo& declared = DeclareConv(conv3d_op_info, 3);
REGISTER_LITE_FUNCTION(conv3d, kHost, kAny, kNCHW, RunConvReference, def);

}  // namespace
}  // namespace paddle::lite
