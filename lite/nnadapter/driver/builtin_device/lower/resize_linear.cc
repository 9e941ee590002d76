#include "lite/nnadapter/driver/builtin_device/lower/resize.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(RESIZE_LINEAR, [](Lowering& l) {
  LowerResize(l, {"linear", "bilinear", "trilinear"}, l.I32("align_mode"));
});

}  // namespace
}  // namespace nnadapter::builtin_device
