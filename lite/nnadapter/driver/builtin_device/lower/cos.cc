#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(COS, [](Lowering& l) { LowerUnary(l, "cos"); });

}  // namespace
}  // namespace nnadapter::builtin_device
