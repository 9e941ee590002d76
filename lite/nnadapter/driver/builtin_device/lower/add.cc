#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(ADD, [](Lowering& l) { LowerArithmetic(l, "elementwise_add"); });

}  // namespace
}  // namespace nnadapter::builtin_device
