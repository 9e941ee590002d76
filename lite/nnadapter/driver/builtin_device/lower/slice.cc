#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(SLICE, [](Lowering& l) {
  Ints32 axes = l.Has("axes") ? l.I32s("axes") : Ints32{};
  if (axes.empty())
    for (int32_t i = 0; i < l.ListSize("starts"); ++i) axes.push_back(i);
  Ints32 steps = l.Has("steps") ? l.I32s("steps") : Ints32{};
  if (steps.empty()) steps.assign(axes.size(), 1);
  l.Emit("strided_slice",
         {{"Input", {l.In("input")}},
          {"StartsTensor", l.Computed("starts")},
          {"EndsTensor", l.Computed("ends")}},
         {{"Out", {l.Out("output")}}},
         {{"axes", axes},
          {"starts", l.Known("starts").value_or(Ints32{})},
          {"ends", l.Known("ends").value_or(Ints32{})},
          {"strides", steps},
          {"as_numpy", true}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
