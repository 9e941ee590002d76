#include "lite/nnadapter/driver/builtin_device/lower/window.h"

namespace nnadapter::builtin_device {
namespace {

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

}  // namespace
}  // namespace nnadapter::builtin_device
