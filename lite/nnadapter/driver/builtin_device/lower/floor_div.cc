#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(FLOOR_DIV, [](Lowering& l) { LowerArithmetic(l, "elementwise_floordiv"); });

}  // namespace
}  // namespace nnadapter::builtin_device
