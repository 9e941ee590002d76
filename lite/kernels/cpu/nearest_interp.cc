#include "lite/kernels/cpu/interp.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(nearest_interp);
[[maybe_unused]] OpInfo& declared = DeclareInterp(nearest_interp_op_info, "nearest", 1);
REGISTER_LITE_FUNCTION(nearest_interp, kHost, kAny, kNCHW, RunInterp<InterpAxesV1>, def);
REGISTER_LITE_KERNEL(nearest_interp, kHost, kFloat, kNHWC, InterpNhwcV1, def, true, false, true,
                     true);

}  // namespace
}  // namespace paddle::lite
