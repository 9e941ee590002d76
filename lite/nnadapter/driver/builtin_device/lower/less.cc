#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(LESS, [](Lowering& l) { LowerComparison(l, "less_than"); });

}  // namespace
}  // namespace nnadapter::builtin_device
