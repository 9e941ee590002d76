#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(OR, [](Lowering& l) { LowerComparison(l, "logical_or"); });

}  // namespace
}  // namespace nnadapter::builtin_device
