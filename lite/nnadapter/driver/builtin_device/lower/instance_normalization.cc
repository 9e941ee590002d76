#include "lite/nnadapter/driver/builtin_device/lower/normalization.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(INSTANCE_NORMALIZATION,
                  [](Lowering& l) { LowerNormalization(l, "instance_norm", {}, {}); });

}  // namespace
}  // namespace nnadapter::builtin_device
