#include "lite/kernels/cpu/interp.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(trilinear_interp);
[[maybe_unused]] OpInfo& declared = DeclareInterp(trilinear_interp_op_info, "trilinear", 1);
REGISTER_LITE_FUNCTION(trilinear_interp, kHost, kAny, kNCHW, RunInterp<InterpAxesV1>, def);

}  // namespace
}  // namespace paddle::lite
