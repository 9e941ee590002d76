#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

// Sums of two: the CPU operator sum takes one shape only.
REGISTER_LOWERING(SUM, [](Lowering& l) {
  const std::vector<ValueId> inputs = l.AllIn("input");
  if (inputs.size() == 1) return l.Emit("assign", {{"X", inputs}}, {{"Out", {l.Out("output")}}});
  ValueId sum = inputs[0];
  for (size_t i = 1; i < inputs.size(); ++i) {
    const ValueId next = i + 1 < inputs.size() ? l.Temp() : l.Out("output");
    l.Emit("elementwise_add", {{"X", {sum}}, {"Y", {inputs[i]}}}, {{"Out", {next}}});
    sum = next;
  }
});

}  // namespace
}  // namespace nnadapter::builtin_device
