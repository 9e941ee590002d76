#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(EQUAL, [](Lowering& l) { LowerComparison(l, "equal"); });

}  // namespace
}  // namespace nnadapter::builtin_device
