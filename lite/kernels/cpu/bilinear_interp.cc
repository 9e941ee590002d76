#include "lite/kernels/cpu/interp.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(bilinear_interp);
[[maybe_unused]] OpInfo& declared = DeclareInterp(bilinear_interp_op_info, "bilinear", 1);
REGISTER_LITE_FUNCTION(bilinear_interp, kHost, kAny, kNCHW, RunInterp<InterpAxesV1>, def);
REGISTER_LITE_KERNEL(bilinear_interp, kHost, kFloat, kNHWC, InterpNhwcV1, def, true, false, true,
                     true);

}  // namespace
}  // namespace paddle::lite
