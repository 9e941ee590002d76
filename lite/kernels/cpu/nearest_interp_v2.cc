#include "lite/kernels/cpu/interp.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(nearest_interp_v2);
[[maybe_unused]] OpInfo& declared = DeclareInterp(nearest_interp_v2_op_info, "nearest", 2);
REGISTER_LITE_FUNCTION(nearest_interp_v2, kHost, kAny, kNCHW, RunInterp<InterpAxesV2>, def);
REGISTER_LITE_KERNEL(nearest_interp_v2, kHost, kFloat, kNHWC, InterpNhwcV2, def, true, false, true,
                     true);

}  // namespace
}  // namespace paddle::lite
