#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(ASSIGN, [](Lowering& l) { LowerUnary(l, "assign"); });

}  // namespace
}  // namespace nnadapter::builtin_device
