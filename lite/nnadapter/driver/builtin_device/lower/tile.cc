#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(TILE, [](Lowering& l) {
  l.Emit("tile", {{"X", {l.In("input")}}, {"RepeatTimes", l.Computed("repeats")}},
         {{"Out", {l.Out("output")}}}, {{"repeat_times", l.Known("repeats").value_or(Ints32{})}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
