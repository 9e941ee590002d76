#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(CONCAT, [](Lowering& l) {
  l.Emit("concat", {{"X", l.AllIn("input")}}, {{"Out", {l.Out("output")}}},
         {{"axis", l.I32("axis")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
