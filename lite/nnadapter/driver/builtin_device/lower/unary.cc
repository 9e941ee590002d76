// Functions of each element.
#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(ABS, [](Lowering& l) { LowerUnary(l, "abs"); });
REGISTER_LOWERING(COS, [](Lowering& l) { LowerUnary(l, "cos"); });
REGISTER_LOWERING(EXP, [](Lowering& l) { LowerUnary(l, "exp"); });
REGISTER_LOWERING(FLOOR, [](Lowering& l) { LowerUnary(l, "floor"); });
REGISTER_LOWERING(LOG, [](Lowering& l) { LowerUnary(l, "log"); });
REGISTER_LOWERING(RSQRT, [](Lowering& l) { LowerUnary(l, "rsqrt"); });
REGISTER_LOWERING(SIN, [](Lowering& l) { LowerUnary(l, "sin"); });
REGISTER_LOWERING(SQUARE, [](Lowering& l) { LowerUnary(l, "square"); });

}  // namespace
}  // namespace nnadapter::builtin_device
