#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

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

}  // namespace
}  // namespace nnadapter::builtin_device
