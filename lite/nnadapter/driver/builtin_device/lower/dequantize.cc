#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

// What In reads of a quantised operand is dequantised.
REGISTER_LOWERING(DEQUANTIZE, [](Lowering& l) { LowerUnary(l, "assign"); });

}  // namespace
}  // namespace nnadapter::builtin_device
