#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(ABS, [](Lowering& l) { LowerUnary(l, "abs"); });

}  // namespace
}  // namespace nnadapter::builtin_device
