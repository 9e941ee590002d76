#include "lite/nnadapter/driver/builtin_device/lower/normalization.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(GROUP_NORMALIZATION, [](Lowering& l) {
  LowerNormalization(l, "group_norm", {}, {{"groups", l.I32("groups")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
