#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(HARD_SIGMOID, [](Lowering& l) {
  LowerUnary(l, "hard_sigmoid", {{"slope", l.Float("alpha")}, {"offset", l.Float("beta")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
