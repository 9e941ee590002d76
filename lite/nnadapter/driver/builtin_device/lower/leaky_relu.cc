#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(LEAKY_RELU, [](Lowering& l) {
  LowerUnary(l, "leaky_relu", {{"alpha", l.Float("alpha")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
