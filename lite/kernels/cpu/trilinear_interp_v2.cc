#include "lite/kernels/cpu/interp.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(trilinear_interp_v2);
[[maybe_unused]] OpInfo& declared = DeclareInterp(trilinear_interp_v2_op_info, "trilinear", 2);
REGISTER_LITE_FUNCTION(trilinear_interp_v2, kHost, kAny, kNCHW, RunInterp<InterpAxesV2>, def);

}  // namespace
}  // namespace paddle::lite
