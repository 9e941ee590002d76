#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(GREATER_EQUAL, [](Lowering& l) { LowerComparison(l, "greater_equal"); });

}  // namespace
}  // namespace nnadapter::builtin_device
