#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(POW, [](Lowering& l) { LowerArithmetic(l, "elementwise_pow"); });

}  // namespace
}  // namespace nnadapter::builtin_device
