#include "lite/kernels/cpu/interp.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(linear_interp_v2);
[[maybe_unused]] OpInfo& declared = DeclareInterp(linear_interp_v2_op_info, "linear", 2);
REGISTER_LITE_FUNCTION(linear_interp_v2, kHost, kAny, kNCHW, RunInterp<InterpAxesV2>, def);

}  // namespace
}  // namespace paddle::lite
