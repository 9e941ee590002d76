#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(SWISH, [](Lowering& l) { LowerUnary(l, "swish"); });

}  // namespace
}  // namespace nnadapter::builtin_device
