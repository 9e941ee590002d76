#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(GREATER, [](Lowering& l) { LowerComparison(l, "greater_than"); });

}  // namespace
}  // namespace nnadapter::builtin_device
