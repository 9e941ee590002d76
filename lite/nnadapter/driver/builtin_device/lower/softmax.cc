#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(SOFTMAX, [](Lowering& l) {
  l.Emit("softmax", {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}},
         {{"axis", l.I32("axis")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
