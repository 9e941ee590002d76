#include "lite/kernels/cpu/interp.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(bicubic_interp_v2);
[[maybe_unused]] OpInfo& declared = DeclareInterp(bicubic_interp_v2_op_info, "bicubic", 2);
REGISTER_LITE_FUNCTION(bicubic_interp_v2, kHost, kAny, kNCHW, RunInterp<InterpAxesV2>, def);
REGISTER_LITE_KERNEL(bicubic_interp_v2, kHost, kFloat, kNHWC, InterpNhwcV2, def, true, false, true,
                     true);

}  // namespace
}  // namespace paddle::lite
