// Activations.
#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(RELU, [](Lowering& l) { LowerUnary(l, "relu"); });
REGISTER_LOWERING(RELU6, [](Lowering& l) { LowerUnary(l, "relu6"); });

REGISTER_LOWERING(LEAKY_RELU, [](Lowering& l) {
  LowerUnary(l, "leaky_relu", {{"alpha", l.Float("alpha")}});
});

// One slope, one a channel, or one an element of an image.
REGISTER_LOWERING(PRELU, [](Lowering& l) {
  const auto slope = l.DimsOf("slope"), input = l.DimsOf("input");
  const int64_t count = runtime::Product(slope, 0, slope.size());
  l.Support(count != NNADAPTER_UNKNOWN, "slope has an unknown number of elements");
  const bool by_channel = input.size() > 1 && (input[1] == count || input[1] == NNADAPTER_UNKNOWN);
  const char* mode = count == 1 ? "all" : by_channel ? "channel" : "element";
  l.Emit("prelu", {{"X", {l.In("input")}}, {"Alpha", {l.In("slope")}}},
         {{"Out", {l.Out("output")}}}, {{"mode", std::string(mode)}});
});

REGISTER_LOWERING(SIGMOID, [](Lowering& l) { LowerUnary(l, "sigmoid"); });

REGISTER_LOWERING(HARD_SIGMOID, [](Lowering& l) {
  LowerUnary(l, "hard_sigmoid", {{"slope", l.Float("alpha")}, {"offset", l.Float("beta")}});
});

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

REGISTER_LOWERING(SWISH, [](Lowering& l) { LowerUnary(l, "swish"); });

REGISTER_LOWERING(SOFTPLUS, [](Lowering& l) {
  l.Emit("softplus", {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}},
         {{"beta", l.Float("beta")}, {"threshold", l.Float("threshold")}});
});

REGISTER_LOWERING(GELU, [](Lowering& l) {
  LowerUnary(l, "gelu", {{"approximate", l.Bool("approximate")}});
});

REGISTER_LOWERING(TANH, [](Lowering& l) { LowerUnary(l, "tanh"); });

bool IsFloatConstant(const Lowering& l, const char* name) {
  return l.IsConstant(name) && l.Type(name).precision == NNADAPTER_FLOAT32;
}

// Attributes let the plan fold it into the operator before.
REGISTER_LOWERING(CLIP, [](Lowering& l) {
  if (IsFloatConstant(l, "min") && IsFloatConstant(l, "max"))
    l.Emit("clip", {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}},
           {{"min", l.Float("min")}, {"max", l.Float("max")}});
  else
    l.Emit("clip", {{"X", {l.In("input")}}, {"Min", {l.In("min")}}, {"Max", {l.In("max")}}},
           {{"Out", {l.Out("output")}}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
