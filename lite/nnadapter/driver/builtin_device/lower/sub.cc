#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(SUB, [](Lowering& l) { LowerArithmetic(l, "elementwise_sub"); });

}  // namespace
}  // namespace nnadapter::builtin_device
