#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(TANH, [](Lowering& l) { LowerUnary(l, "tanh"); });

}  // namespace
}  // namespace nnadapter::builtin_device
