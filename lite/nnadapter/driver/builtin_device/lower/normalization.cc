// Normalisations and softmax.
#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

void LowerNormalization(Lowering& l, const char* type, Slots inputs,
                        lite::AttributeMap attributes) {
  l.Support(l.Rank("input") <= 5,
            "input has rank " + std::to_string(l.Rank("input")) + ", the CPU normalises up to 5");
  inputs["X"] = {l.In("input")};
  inputs["Scale"] = l.OptionalIn("scale");
  inputs["Bias"] = l.OptionalIn("bias");
  attributes["epsilon"] = l.Float("epsilon");
  l.Emit(type, inputs, {{"Y", {l.Out("output")}}}, attributes);
}

REGISTER_LOWERING(BATCH_NORMALIZATION, [](Lowering& l) {
  LowerNormalization(l, "batch_norm", {{"Mean", {l.In("mean")}}, {"Variance", {l.In("variance")}}},
                     {});
});

REGISTER_LOWERING(INSTANCE_NORMALIZATION,
                  [](Lowering& l) { LowerNormalization(l, "instance_norm", {}, {}); });

// The CPU's layer_norm keeps at least one axis of rows.
REGISTER_LOWERING(LAYER_NORMALIZATION, [](Lowering& l) {
  const int rank = l.Rank("input");
  int32_t begin = l.I32("begin_norm_axis");
  if (begin < 0) begin += rank;
  const bool whole = begin == 0;
  const lite::AttributeMap front = {{"axes", std::vector<int32_t>{0}}};
  ValueId input = l.In("input");
  l.Support(!whole || rank < 8, "all 8 axes are normalised, the CPU does at most 7");
  const ValueId output = l.Out("output"), result = whole ? l.Temp() : output;
  if (whole) {
    const ValueId row = l.Temp();
    l.Emit("unsqueeze2", {{"X", {input}}}, {{"Out", {row}}}, front);
    input = row;
    begin = 1;
  }
  l.Emit("layer_norm",
         {{"X", {input}}, {"Scale", l.OptionalIn("scale")}, {"Bias", l.OptionalIn("bias")}},
         {{"Y", {result}}}, {{"begin_norm_axis", begin}, {"epsilon", l.Float("epsilon")}});
  if (whole) l.Emit("squeeze2", {{"X", {result}}}, {{"Out", {output}}}, front);
});

REGISTER_LOWERING(GROUP_NORMALIZATION, [](Lowering& l) {
  LowerNormalization(l, "group_norm", {}, {{"groups", l.I32("groups")}});
});

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

REGISTER_LOWERING(LRN, [](Lowering& l) {
  LowerUnary(l, "lrn",
             {{"n", l.I32("size")},
              {"k", l.Float("bias")},
              {"alpha", l.Float("alpha")},
              {"beta", l.Float("beta")}});
});

REGISTER_LOWERING(SOFTMAX, [](Lowering& l) {
  l.Emit("softmax", {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}},
         {{"axis", l.I32("axis")}});
});

REGISTER_LOWERING(LOG_SOFTMAX, [](Lowering& l) {
  LowerUnary(l, "log_softmax", {{"axis", l.I32("axis")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
