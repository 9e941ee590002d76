#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(SPLIT, [](Lowering& l) {
  l.Emit("split", {{"X", {l.In("input")}}}, {{"Out", l.AllOut("output")}},
         {{"axis", l.I32("axis")}, {"sections", l.I32s("split")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
