#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(NOT, [](Lowering& l) { LowerUnary(l, "logical_not"); });

}  // namespace
}  // namespace nnadapter::builtin_device
