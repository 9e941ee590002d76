#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(CAST, [](Lowering& l) {
  LowerUnary(l, "cast", {{"out_dtype", static_cast<int32_t>(TypeForCode(l.Int("dtype")))}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
