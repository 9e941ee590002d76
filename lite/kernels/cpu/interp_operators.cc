// The operators that resize images: of one, two and three spatial axes.
#include "lite/kernels/cpu/interp.h"

namespace paddle::lite {
namespace {

#define REGISTER_INTERP(type, method, version)                                               \
  REGISTER_LITE_OP(type);                                                                    \
  [[maybe_unused]] OpInfo& type##_declared = DeclareInterp(type##_op_info, method, version); \
  REGISTER_LITE_FUNCTION(type, kHost, kAny, kNCHW, RunInterp<InterpAxesV##version>, def)

#define REGISTER_INTERP_OF_IMAGES(type, method, version)                                         \
  REGISTER_INTERP(type, method, version);                                                        \
  REGISTER_LITE_KERNEL(type, kHost, kFloat, kNHWC, InterpNhwcV##version, def, true, false, true, \
                       true)

REGISTER_INTERP(linear_interp, "linear", 1);
REGISTER_INTERP(linear_interp_v2, "linear", 2);
REGISTER_INTERP_OF_IMAGES(bicubic_interp, "bicubic", 1);
REGISTER_INTERP_OF_IMAGES(bicubic_interp_v2, "bicubic", 2);
REGISTER_INTERP_OF_IMAGES(bilinear_interp, "bilinear", 1);
REGISTER_INTERP_OF_IMAGES(bilinear_interp_v2, "bilinear", 2);
REGISTER_INTERP_OF_IMAGES(nearest_interp, "nearest", 1);
REGISTER_INTERP_OF_IMAGES(nearest_interp_v2, "nearest", 2);
REGISTER_INTERP(trilinear_interp, "trilinear", 1);
REGISTER_INTERP(trilinear_interp_v2, "trilinear", 2);

}  // namespace
}  // namespace paddle::lite
