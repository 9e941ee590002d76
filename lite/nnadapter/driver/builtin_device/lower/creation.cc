// Tensors that are made, copied or converted.
#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(ASSIGN, [](Lowering& l) { LowerUnary(l, "assign"); });

REGISTER_LOWERING(CAST, [](Lowering& l) {
  LowerUnary(l, "cast", {{"out_dtype", static_cast<int32_t>(TypeForCode(l.Int("dtype")))}});
});

// The value goes as a tensor: an attribute would round integers.
REGISTER_LOWERING(FILL, [](Lowering& l) {
  Slots inputs = {{"ValueTensor", {l.In("value")}}};
  lite::AttributeMap attributes = {{"dtype", static_cast<int32_t>(l.DataTypeOf("value"))}};
  if (l.IsConstant("shape"))
    attributes["shape"] = l.Ints("shape");
  else
    inputs["ShapeTensor"] = {l.In("shape")};
  l.Emit("fill_constant", inputs, {{"Out", {l.Out("output")}}}, attributes);
});

// The value goes as a tensor: an attribute would round integers.
REGISTER_LOWERING(FILL_LIKE, [](Lowering& l) {
  const ValueId shape = l.Temp();
  l.Emit("shape", {{"Input", {l.In("input")}}}, {{"Out", {shape}}});
  l.Emit("fill_constant", {{"ValueTensor", {l.In("value")}}, {"ShapeTensor", {shape}}},
         {{"Out", {l.Out("output")}}}, {{"dtype", static_cast<int32_t>(l.DataTypeOf("value"))}});
});

REGISTER_LOWERING(RANGE, [](Lowering& l) {
  l.Emit("range", {{"Start", {l.In("start")}}, {"End", {l.In("end")}}, {"Step", {l.In("step")}}},
         {{"Out", {l.Out("output")}}});
});

REGISTER_LOWERING(MESHGRID, [](Lowering& l) {
  l.Emit("meshgrid", {{"X", l.AllIn("input")}}, {{"Out", l.AllOut("output")}});
});

// What writes a quantised output quantises: the real numbers pass.
REGISTER_LOWERING(QUANTIZE, [](Lowering& l) {
  l.Emit("assign", {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}});
});

// What In reads of a quantised operand is dequantised.
REGISTER_LOWERING(DEQUANTIZE, [](Lowering& l) { LowerUnary(l, "assign"); });

}  // namespace
}  // namespace nnadapter::builtin_device
