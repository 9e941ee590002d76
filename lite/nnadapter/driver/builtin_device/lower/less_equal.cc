#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(LESS_EQUAL, [](Lowering& l) { LowerComparison(l, "less_equal"); });

}  // namespace
}  // namespace nnadapter::builtin_device
