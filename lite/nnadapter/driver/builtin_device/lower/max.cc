#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(MAX, [](Lowering& l) { LowerArithmetic(l, "elementwise_max"); });

}  // namespace
}  // namespace nnadapter::builtin_device
