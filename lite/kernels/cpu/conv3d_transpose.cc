#include "lite/kernels/cpu/conv_transpose.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(conv3d_transpose);
[[maybe_unused]] OpInfo& declared = DeclareConvTranspose(conv3d_transpose_op_info, 3);
REGISTER_LITE_FUNCTION(conv3d_transpose, kHost, kAny, kNCHW, RunConvTransposeReference, def);

}  // namespace
}  // namespace paddle::lite
