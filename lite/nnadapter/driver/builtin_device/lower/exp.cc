#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(EXP, [](Lowering& l) { LowerUnary(l, "exp"); });

}  // namespace
}  // namespace nnadapter::builtin_device
