#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(LOG_SOFTMAX, [](Lowering& l) {
  LowerUnary(l, "log_softmax", {{"axis", l.I32("axis")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
