#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(SQUARE, [](Lowering& l) { LowerUnary(l, "square"); });

}  // namespace
}  // namespace nnadapter::builtin_device
