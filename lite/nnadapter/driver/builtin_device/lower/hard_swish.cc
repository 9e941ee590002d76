#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

// The CPU's hard_swish is x * clamp(x + offset, 0, threshold) / scale, which says the same for a
// slope that is not tiny.
REGISTER_LOWERING(HARD_SWISH, [](Lowering& l) {
  const float alpha = l.Float("alpha"), beta = l.Float("beta");
  const ValueId input = l.In("input");
  if (alpha > 1e-3f) {
    l.Emit("hard_swish", {{"X", {input}}}, {{"Out", {l.Out("output")}}},
           {{"threshold", 1 / alpha}, {"scale", 1 / alpha}, {"offset", beta / alpha}});
    return;
  }
  const ValueId gate = l.Temp();
  l.Emit("hard_sigmoid", {{"X", {input}}}, {{"Out", {gate}}}, {{"slope", alpha}, {"offset", beta}});
  l.Emit("elementwise_mul", {{"X", {input}}, {"Y", {gate}}}, {{"Out", {l.Out("output")}}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
