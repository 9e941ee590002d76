#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(RELU, [](Lowering& l) { LowerUnary(l, "relu"); });

}  // namespace
}  // namespace nnadapter::builtin_device
