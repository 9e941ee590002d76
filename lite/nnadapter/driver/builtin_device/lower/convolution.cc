// Convolutions.
#include "lite/nnadapter/driver/builtin_device/lower/window.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(CONV_2D, [](Lowering& l) {
  lite::AttributeMap attributes = WindowAttributes(l, true);
  attributes["groups"] = l.I32("group");
  l.EmitFused(
      "conv2d",
      {{"Input", {l.In("input")}}, {"Filter", {l.In("filter")}}, {"Bias", l.OptionalIn("bias")}},
      "Output", "output", attributes);
});

REGISTER_LOWERING(CONV_2D_TRANSPOSE, [](Lowering& l) {
  lite::AttributeMap attributes = WindowAttributes(l, true);
  attributes["groups"] = l.I32("group");
  Slots inputs = {
      {"Input", {l.In("input")}}, {"Filter", {l.In("filter")}}, {"Bias", l.OptionalIn("bias")}};
  const bool sized = l.Has("output_shape") && l.DimsOf("output_shape") != runtime::Dims{0};
  if (sized && l.IsConstant("output_shape"))
    attributes["output_size"] = l.I32s("output_shape");
  else if (sized)
    inputs["OutputSizeTensor"] = {l.In("output_shape")};
  if (l.Has("output_padding") && !sized) attributes["output_padding"] = l.I32s("output_padding");
  l.EmitFused("conv2d_transpose", inputs, "Output", "output", attributes);
});

REGISTER_LOWERING(DEFORMABLE_CONV_2D, [](Lowering& l) {
  lite::AttributeMap attributes = WindowAttributes(l, true);
  attributes["groups"] = l.I32("group");
  attributes["deformable_groups"] = l.I32("deformable_group");
  const Slots inputs = {{"Input", {l.In("input")}},
                        {"Offset", {l.In("offset")}},
                        {"Filter", {l.In("filter")}},
                        {"Mask", l.OptionalIn("mask")}};
  if (!l.Has("bias")) return l.EmitFused("deformable_conv", inputs, "Output", "output", attributes);
  const ValueId convolved = l.Temp(), bias = l.Temp();
  l.Emit("deformable_conv", inputs, {{"Output", {convolved}}}, attributes);
  l.Emit("reshape2", {{"X", {l.In("bias")}}}, {{"Out", {bias}}},
         {{"shape", std::vector<int32_t>{1, -1, 1, 1}}});
  l.EmitFused("elementwise_add", {{"X", {convolved}}, {"Y", {bias}}}, "Out", "output");
});

}  // namespace
}  // namespace nnadapter::builtin_device
