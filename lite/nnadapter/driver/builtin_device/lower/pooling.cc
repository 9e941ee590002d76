// Pooling.
#include "lite/nnadapter/driver/builtin_device/lower/window.h"
#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

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
