#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(CHANNEL_SHUFFLE, [](Lowering& l) {
  LowerUnary(l, "shuffle_channel", {{"group", l.I32("group")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
