#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(SIGMOID, [](Lowering& l) { LowerUnary(l, "sigmoid"); });

}  // namespace
}  // namespace nnadapter::builtin_device
