#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

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

}  // namespace
}  // namespace nnadapter::builtin_device
