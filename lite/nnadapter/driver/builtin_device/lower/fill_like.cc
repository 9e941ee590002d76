#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

// The value goes as a tensor: an attribute would round integers.
REGISTER_LOWERING(FILL_LIKE, [](Lowering& l) {
  const ValueId shape = l.Temp();
  l.Emit("shape", {{"Input", {l.In("input")}}}, {{"Out", {shape}}});
  l.Emit("fill_constant", {{"ValueTensor", {l.In("value")}}, {"ShapeTensor", {shape}}},
         {{"Out", {l.Out("output")}}}, {{"dtype", static_cast<int32_t>(l.DataTypeOf("value"))}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
