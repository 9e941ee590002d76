#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

ValueId Then(Lowering& l, const char* type, ValueId x, const lite::AttributeMap& attributes = {}) {
  const ValueId out = l.Temp();
  l.Emit(type, {{"X", {x}}}, {{"Out", {out}}}, attributes);
  return out;
}

REGISTER_LOWERING(LP_NORMALIZATION, [](Lowering& l) {
  const bool square = l.Int("p") == 2;
  const ValueId input = l.In("input");
  ValueId norm = Then(l, "reduce_sum", Then(l, square ? "square" : "abs", input),
                      {{"dim", l.I32s("axis")}, {"keep_dim", true}});
  if (square) norm = Then(l, "sqrt", norm);
  norm = Then(l, "scale", norm, {{"scale", 1.0f}, {"bias", l.Float("epsilon")}});
  l.Emit("elementwise_div", {{"X", {input}}, {"Y", {norm}}}, {{"Out", {l.Out("output")}}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
