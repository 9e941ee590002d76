#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(LOG, [](Lowering& l) { LowerUnary(l, "log"); });

}  // namespace
}  // namespace nnadapter::builtin_device
