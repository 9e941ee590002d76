#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(RELU6, [](Lowering& l) { LowerUnary(l, "relu6"); });

}  // namespace
}  // namespace nnadapter::builtin_device
