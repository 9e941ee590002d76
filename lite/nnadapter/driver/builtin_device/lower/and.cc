#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(AND, [](Lowering& l) { LowerComparison(l, "logical_and"); });

}  // namespace
}  // namespace nnadapter::builtin_device
