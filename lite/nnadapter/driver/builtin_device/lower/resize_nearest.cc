#include "lite/nnadapter/driver/builtin_device/lower/resize.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(RESIZE_NEAREST, [](Lowering& l) {
  LowerResize(l, {nullptr, "nearest", "nearest"}, 1);
});

}  // namespace
}  // namespace nnadapter::builtin_device
