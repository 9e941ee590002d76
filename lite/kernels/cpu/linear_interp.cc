#include "lite/kernels/cpu/interp.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(linear_interp);
[[maybe_unused]] OpInfo& declared = DeclareInterp(linear_interp_op_info, "linear", 1);
REGISTER_LITE_FUNCTION(linear_interp, kHost, kAny, kNCHW, RunInterp<InterpAxesV1>, def);

}  // namespace
}  // namespace paddle::lite
