#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(XOR, [](Lowering& l) { LowerComparison(l, "logical_xor"); });

}  // namespace
}  // namespace nnadapter::builtin_device
