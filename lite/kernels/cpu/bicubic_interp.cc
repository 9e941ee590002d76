#include "lite/kernels/cpu/interp.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(bicubic_interp);
[[maybe_unused]] OpInfo& declared = DeclareInterp(bicubic_interp_op_info, "bicubic", 1);
REGISTER_LITE_FUNCTION(bicubic_interp, kHost, kAny, kNCHW, RunInterp<InterpAxesV1>, def);
REGISTER_LITE_KERNEL(bicubic_interp, kHost, kFloat, kNHWC, InterpNhwcV1, def, true, false, true,
                     true);

}  // namespace
}  // namespace paddle::lite
