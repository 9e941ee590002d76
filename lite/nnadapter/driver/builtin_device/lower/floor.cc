#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(FLOOR, [](Lowering& l) { LowerUnary(l, "floor"); });

}  // namespace
}  // namespace nnadapter::builtin_device
