#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(DIV, [](Lowering& l) { LowerArithmetic(l, "elementwise_div"); });

}  // namespace
}  // namespace nnadapter::builtin_device
