#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(STACK, [](Lowering& l) {
  l.Emit("stack", {{"X", l.AllIn("input")}}, {{"Y", {l.Out("output")}}}, {{"axis", l.I32("axis")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
