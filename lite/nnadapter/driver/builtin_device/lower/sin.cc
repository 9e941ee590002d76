#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(SIN, [](Lowering& l) { LowerUnary(l, "sin"); });

}  // namespace
}  // namespace nnadapter::builtin_device
