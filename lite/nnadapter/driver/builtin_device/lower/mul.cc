#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(MUL, [](Lowering& l) { LowerArithmetic(l, "elementwise_mul"); });

}  // namespace
}  // namespace nnadapter::builtin_device
