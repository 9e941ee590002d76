// Windows over images: convolutions and poolings.
#include <algorithm>

#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

// strides, paddings, padding_algorithm and, if `dilated`, dilations.
lite::AttributeMap WindowAttributes(const Lowering& l, bool dilated) {
  std::vector<int32_t> pads(4, 0);
  if (l.Has("pads") && l.Ints("pads").size() == 4) pads = l.I32s("pads");
  lite::AttributeMap attributes = {
      {"strides", l.I32s("strides")},
      {"paddings", pads},
      {"padding_algorithm", std::string("EXPLICIT")},
  };
  if (dilated) attributes["dilations"] = l.I32s("dilations");
  const bool declared = l.Declares("auto_pad");
  const int64_t auto_pad = declared ? l.Int("auto_pad") : int64_t{NNADAPTER_AUTO_PAD_NONE};
  if (auto_pad == NNADAPTER_AUTO_PAD_SAME) attributes["padding_algorithm"] = std::string("SAME");
  if (auto_pad == NNADAPTER_AUTO_PAD_VALID) attributes["padding_algorithm"] = std::string("VALID");
  return attributes;
}

// Explicit [top, bottom, left, right] that AUTO_PAD_SAME finds.
std::vector<int32_t> SamePads(const Lowering& l) {
  const runtime::Dims input = l.DimsOf("input");
  const std::vector<int64_t> kernel = l.Ints("kernel_shape"), strides = l.Ints("strides");
  std::vector<int32_t> pads;
  for (size_t axis = 0; axis < 2; ++axis) {
    const int64_t size = input[axis + 2];
    l.Support(size != NNADAPTER_UNKNOWN, "AUTO_PAD_SAME needs here a known height and width");
    const int64_t count = (size + strides[axis] - 1) / strides[axis];
    const int64_t sum = std::max<int64_t>((count - 1) * strides[axis] + kernel[axis] - size, 0);
    pads.push_back(static_cast<int32_t>(sum / 2));
    pads.push_back(static_cast<int32_t>(sum - sum / 2));
  }
  return pads;
}

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

// The CPU's pool2d counts as much padding at the end of an axis as at its begin. Where they differ
// the padding is made of elements, which then count like others.
REGISTER_LOWERING(AVERAGE_POOL_2D, [](Lowering& l) {
  lite::AttributeMap attributes = WindowAttributes(l, false);
  const bool counts = l.Bool("count_include_pad");
  attributes["pooling_type"] = std::string("avg");
  attributes["ksize"] = l.I32s("kernel_shape");
  attributes["ceil_mode"] = l.Bool("ceil_mode");
  attributes["exclusive"] = !counts;
  ValueId input = l.In("input");
  const bool same = l.Int("auto_pad") == NNADAPTER_AUTO_PAD_SAME;
  const auto pads =
      counts && same ? SamePads(l) : std::get<std::vector<int32_t>>(attributes["paddings"]);
  const bool uneven = pads[0] != pads[1] || pads[2] != pads[3];
  if (counts && uneven && l.Int("auto_pad") != NNADAPTER_AUTO_PAD_VALID) {
    const ValueId padded = l.Temp();
    l.Emit("pad2d", {{"X", {input}}}, {{"Out", {padded}}}, {{"paddings", pads}});
    input = padded;
    attributes["paddings"] = std::vector<int32_t>(4, 0);
    attributes["padding_algorithm"] = std::string("EXPLICIT");
    attributes["exclusive"] = true;
  } else if (counts && same) {
    attributes["paddings"] = pads;
    attributes["padding_algorithm"] = std::string("EXPLICIT");
  }
  l.EmitFused("pool2d", {{"X", {input}}}, "Out", "output", attributes);
});

// [top, bottom, left, right].
std::vector<int32_t> Pads(const Lowering& l, const lite::AttributeMap& attributes) {
  switch (l.Int("auto_pad")) {
    case NNADAPTER_AUTO_PAD_SAME:
      return SamePads(l);
    case NNADAPTER_AUTO_PAD_VALID:
      return {0, 0, 0, 0};
    default:
      return std::get<std::vector<int32_t>>(attributes.at("paddings"));
  }
}

REGISTER_LOWERING(MAX_POOL_2D, [](Lowering& l) {
  lite::AttributeMap attributes = WindowAttributes(l, false);
  attributes["ksize"] = l.I32s("kernel_shape");
  attributes["ceil_mode"] = l.Bool("ceil_mode");
  if (!l.HasOutput("indices")) {
    attributes["pooling_type"] = std::string("max");
    return l.EmitFused("pool2d", {{"X", {l.In("input")}}}, "Out", "output", attributes);
  }
  attributes["paddings"] = Pads(l, attributes);
  attributes.erase("padding_algorithm");
  const bool wide = TypeForCode(l.Int("return_indices_dtype")) == lite::DataType::kInt64;
  const ValueId mask = wide ? l.Temp() : l.Out("indices");
  l.EmitFused("max_pool2d_with_index", {{"X", {l.In("input")}}}, "Out", "output", attributes,
              {{"Mask", {mask}}});
  if (wide) l.EmitCast(mask, lite::DataType::kInt32, lite::DataType::kInt64, l.Out("indices"));
});

REGISTER_LOWERING(ADAPTIVE_AVERAGE_POOL_2D, [](Lowering& l) {
  l.Emit("pool2d", {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}},
         {{"pooling_type", std::string("avg")},
          {"ksize", l.I32s("output_shape")},
          {"adaptive", true}});
});

REGISTER_LOWERING(ADAPTIVE_MAX_POOL_2D, [](Lowering& l) {
  const bool wide = l.Int("return_indices_dtype", NNADAPTER_INT64) == NNADAPTER_INT64;
  Slots outputs = {{"Out", {l.Out("output")}}};
  ValueId mask = 0;
  if (l.HasOutput("indices")) outputs["Mask"] = {mask = wide ? l.Temp() : l.Out("indices")};
  l.Emit("max_pool2d_with_index", {{"X", {l.In("input")}}}, outputs,
         {{"ksize", l.I32s("output_shape")}, {"adaptive", true}});
  if (l.HasOutput("indices") && wide)
    l.Emit("cast", {{"X", {mask}}}, {{"Out", {l.Out("indices")}}},
           {{"out_dtype", static_cast<int32_t>(lite::DataType::kInt64)}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
