#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(GELU, [](Lowering& l) {
  LowerUnary(l, "gelu", {{"approximate", l.Bool("approximate")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
