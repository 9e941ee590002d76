#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(RSQRT, [](Lowering& l) { LowerUnary(l, "rsqrt"); });

}  // namespace
}  // namespace nnadapter::builtin_device
