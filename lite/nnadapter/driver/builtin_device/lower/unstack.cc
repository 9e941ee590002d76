#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(UNSTACK, [](Lowering& l) {
  l.Emit("unstack", {{"X", {l.In("input")}}}, {{"Y", l.AllOut("output")}},
         {{"axis", l.I32("axis")}, {"num", l.I32("num")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
