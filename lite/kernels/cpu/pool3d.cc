#include "lite/kernels/cpu/pool.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(pool3d);
[[maybe_unused]] OpInfo& declared = DeclarePool(pool3d_op_info, 3);
REGISTER_LITE_FUNCTION(pool3d, kHost, kAny, kNCHW, RunPoolReference, def);

}  // namespace
}  // namespace paddle::lite
