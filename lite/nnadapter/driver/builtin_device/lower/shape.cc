// Other shapes for the same elements, and shapes as numbers.
#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(RESHAPE, [](Lowering& l) {
  l.Emit("reshape2", {{"X", {l.In("input")}}, {"Shape", l.Computed("shape")}},
         {{"Out", {l.Out("output")}}}, {{"shape", l.Known("shape").value_or(Ints32{})}});
});

REGISTER_LOWERING(FLATTEN, [](Lowering& l) {
  LowerUnary(l, "flatten_contiguous_range",
             {{"start_axis", l.I32("start_axis")}, {"stop_axis", l.I32("end_axis")}});
});

REGISTER_LOWERING(SQUEEZE, [](Lowering& l) {
  l.Emit("squeeze2", {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}},
         {{"axes", l.Has("axes") ? l.I32s("axes") : Ints32{}}});
});

REGISTER_LOWERING(UNSQUEEZE, [](Lowering& l) {
  l.Emit("unsqueeze2", {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}},
         {{"axes", l.I32s("axes")}});
});

REGISTER_LOWERING(EXPAND, [](Lowering& l) {
  const Slots outputs = {{"Out", {l.Out("output")}}};
  if (!l.IsConstant("shape"))
    return l.Emit("expand_v2", {{"X", {l.In("input")}}, {"Shape", {l.In("shape")}}}, outputs);
  std::vector<int32_t> shape = l.I32s("shape");
  const size_t added = shape.size() - static_cast<size_t>(l.Rank("input"));
  // A 1 keeps a dimension of input, as numpy's broadcasting does.
  for (size_t i = added; i < shape.size(); ++i)
    if (shape[i] == 1) shape[i] = -1;
  l.Emit("expand_v2", {{"X", {l.In("input")}}}, outputs, {{"shape", shape}});
});

REGISTER_LOWERING(TILE, [](Lowering& l) {
  l.Emit("tile", {{"X", {l.In("input")}}, {"RepeatTimes", l.Computed("repeats")}},
         {{"Out", {l.Out("output")}}}, {{"repeat_times", l.Known("repeats").value_or(Ints32{})}});
});

REGISTER_LOWERING(SHAPE, [](Lowering& l) {
  const bool wide = l.Int("dtype") == NNADAPTER_INT64;
  const ValueId shape = wide ? l.Temp() : l.Out("output");
  l.Emit("shape", {{"Input", {l.Stored("input")}}}, {{"Out", {shape}}});
  if (!wide) return;
  l.EmitCast(shape, lite::DataType::kInt32, lite::DataType::kInt64, l.Out("output"));
});

}  // namespace
}  // namespace nnadapter::builtin_device
