// Reductions, positions of extremes, running sums, sums of tensors.
#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

void LowerReduce(Lowering& l, const char* type) {
  const Ints32 axes = l.Has("axes") ? l.I32s("axes") : Ints32{};
  lite::AttributeMap attributes{
      {"dim", axes}, {"keep_dim", l.Bool("keepdim", true)}, {"reduce_all", axes.empty()}};
  // The CPU operator would make int64 of int32.
  if (std::string_view(type) == "reduce_sum")
    attributes["out_dtype"] = static_cast<int32_t>(l.DataTypeOf("input"));
  l.Emit(type, {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}}, attributes);
}

void LowerArgReduce(Lowering& l, const char* type) {
  LowerUnary(l, type,
             {{"axis", l.Int("axis")},
              {"keepdims", l.Bool("keepdim")},
              {"dtype", static_cast<int32_t>(TypeForCode(l.Int("dtype", NNADAPTER_INT64)))}});
}

REGISTER_LOWERING(REDUCE_MAX, [](Lowering& l) { LowerReduce(l, "reduce_max"); });
REGISTER_LOWERING(REDUCE_MEAN, [](Lowering& l) { LowerReduce(l, "reduce_mean"); });
REGISTER_LOWERING(REDUCE_SUM, [](Lowering& l) { LowerReduce(l, "reduce_sum"); });
REGISTER_LOWERING(ARG_MAX, [](Lowering& l) { LowerArgReduce(l, "arg_max"); });
REGISTER_LOWERING(ARG_MIN, [](Lowering& l) { LowerArgReduce(l, "arg_min"); });

REGISTER_LOWERING(CUM_SUM, [](Lowering& l) {
  LowerUnary(l, "cumsum",
             {{"axis", l.I32("axis")},
              {"exclusive", l.Bool("exclusive")},
              {"reverse", l.Bool("reverse")}});
});

REGISTER_LOWERING(TOP_K, [](Lowering& l) {
  const bool wide = TypeForCode(l.Int("return_indices_dtype")) == lite::DataType::kInt64;
  const ValueId indices = wide ? l.Out("indices") : l.Temp();
  const auto k = l.Known("k");
  l.Emit("top_k_v2", {{"X", {l.In("input")}}, {"K", l.Computed("k")}},
         {{"Out", {l.Out("output")}}, {"Indices", {indices}}},
         {{"k", k ? k->at(0) : 1},
          {"axis", l.I32("axis")},
          {"largest", l.Bool("largest")},
          {"stable", true}});  // as NNAPI says
  if (!wide) l.EmitCast(indices, lite::DataType::kInt64, lite::DataType::kInt32, l.Out("indices"));
});

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
