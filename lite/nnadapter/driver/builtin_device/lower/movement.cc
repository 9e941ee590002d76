// Elements in other places.
#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(TRANSPOSE, [](Lowering& l) {
  Ints32 perm = l.Has("perm") ? l.I32s("perm") : Ints32{};
  const int32_t rank = l.Rank("input");
  if (perm.empty())
    for (int32_t i = rank; i-- > 0;) perm.push_back(i);
  for (int32_t& axis : perm)
    if (axis < 0) axis += rank;
  l.Emit("transpose2", {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}}, {{"axis", perm}});
});

REGISTER_LOWERING(CONCAT, [](Lowering& l) {
  l.Emit("concat", {{"X", l.AllIn("input")}}, {{"Out", {l.Out("output")}}},
         {{"axis", l.I32("axis")}});
});

REGISTER_LOWERING(SPLIT, [](Lowering& l) {
  l.Emit("split", {{"X", {l.In("input")}}}, {{"Out", l.AllOut("output")}},
         {{"axis", l.I32("axis")}, {"sections", l.I32s("split")}});
});

REGISTER_LOWERING(STACK, [](Lowering& l) {
  l.Emit("stack", {{"X", l.AllIn("input")}}, {{"Y", {l.Out("output")}}}, {{"axis", l.I32("axis")}});
});

REGISTER_LOWERING(UNSTACK, [](Lowering& l) {
  l.Emit("unstack", {{"X", {l.In("input")}}}, {{"Y", l.AllOut("output")}},
         {{"axis", l.I32("axis")}, {"num", l.I32("num")}});
});

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

REGISTER_LOWERING(GATHER, [](Lowering& l) {
  l.Emit("take", {{"X", {l.In("input")}}, {"Index", {l.In("indices")}}},
         {{"Out", {l.Out("output")}}}, {{"axis", l.I32("axis")}});
});

REGISTER_LOWERING(PAD, [](Lowering& l) {
  const int64_t code = l.Int("mode");
  const char* mode = code == NNADAPTER_PAD_MODE_REFLECT ? "reflect"
                     : code == NNADAPTER_PAD_MODE_REPLICATE || code == NNADAPTER_PAD_MODE_EDGE
                         ? "edge"
                         : "constant";
  l.Emit(
      "pad",
      {{"X", {l.In("input")}}, {"Paddings", l.Computed("pads")}, {"Value", l.OptionalIn("value")}},
      {{"Out", {l.Out("output")}}},
      {{"paddings", l.Known("pads").value_or(Ints32{})}, {"mode", std::string(mode)}});
});

REGISTER_LOWERING(ROLL, [](Lowering& l) {
  l.Emit("roll", {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}},
         {{"shifts", l.Ints("shifts")},
          {"axis", l.Has("axes") ? l.Ints("axes") : std::vector<int64_t>{}}});
});

REGISTER_LOWERING(CHANNEL_SHUFFLE, [](Lowering& l) {
  LowerUnary(l, "shuffle_channel", {{"group", l.I32("group")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
