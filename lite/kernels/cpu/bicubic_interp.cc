#include "lite/kernels/cpu/interp.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(bicubic_interp);
[[maybe_unused]] OpInfo& declared = DeclareInterp(bicubic_interp_op_info, "bicubic", 1);
REGISTER_LITE_FUNCTION(bicubic_interp, kHost, kAny, kNCHW, RunInterpV1, def);
REGISTER_LITE_FUNCTION(bicubic_interp, kHost, kFloat, kNHWC, RunInterpNhwcV1, def, true);

}  // namespace
}  // namespace paddle::lite
