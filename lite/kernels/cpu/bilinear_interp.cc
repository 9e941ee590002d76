#include "lite/kernels/cpu/interp.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(bilinear_interp);
[[maybe_unused]] OpInfo& declared = DeclareInterp(bilinear_interp_op_info, "bilinear", 1);
REGISTER_LITE_FUNCTION(bilinear_interp, kHost, kAny, kNCHW, RunInterpV1, def);
REGISTER_LITE_FUNCTION(bilinear_interp, kHost, kFloat, kNHWC, RunInterpNhwcV1, def, true);

}  // namespace
}  // namespace paddle::lite
