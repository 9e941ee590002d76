#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(MIN, [](Lowering& l) { LowerArithmetic(l, "elementwise_min"); });

}  // namespace
}  // namespace nnadapter::builtin_device
