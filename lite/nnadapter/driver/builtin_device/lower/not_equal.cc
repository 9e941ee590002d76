#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(NOT_EQUAL, [](Lowering& l) { LowerComparison(l, "not_equal"); });

}  // namespace
}  // namespace nnadapter::builtin_device
