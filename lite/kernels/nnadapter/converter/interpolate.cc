// nearest_interp, bilinear_interp and their second versions. Paddle's second version steps by the
// given scale, NNAdapter by the sizes: where the two differ, the operator stays on the CPU.
#include <cmath>

#include "lite/kernels/nnadapter/build_blocks.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

bool IsSecondVersion(const Conversion& c) {
  const std::string& type = c.op().type;
  return type.size() > 3 && type.compare(type.size() - 3, 3, "_v2") == 0;
}

// The scales of the two axes that decide the size; empty where sizes do.
std::vector<float> Scales(Conversion& c, bool second) {
  std::vector<float> scales;
  if (Operand* scale = c.InputOrNull("Scale"))
    scales = c.ConstantFloats(scale);
  else if (second)
    scales = c.Floats("scale");
  else if (c.Float("scale") > 0)
    scales = {c.Float("scale")};
  if (scales.size() == 1) {
    // One scale for two axes is no scale to the second version where it has sizes.
    if (second && !c.Has("Scale") && c.Int("out_h") > 0 && c.Int("out_w") > 0) return {};
    scales.push_back(scales[0]);
  }
  if (scales.size() > 2) scales.resize(2);
  for (float scale : scales)
    if (!(scale > 0) || !std::isfinite(scale))
      c.Refuse(StrCat("its scale is ", scale, ", not a positive number"));
  return scales;
}

struct Size {
  Operand* shape = nullptr;
  Operand* scales = nullptr;
};

Size FromScales(Conversion& c, const std::vector<float>& scales, bool steps_by_scale) {
  const std::vector<int64_t> dims = c.Dims(c.Input("X"));
  const bool known = dims[2] != NNADAPTER_UNKNOWN && dims[3] != NNADAPTER_UNKNOWN;
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < 2; ++i) {
    if (!known) {
      if (scales[i] != std::floor(scales[i])) throw NeedsKnown{};
      continue;
    }
    const float size = static_cast<float>(dims[i + 2]) * scales[i];
    if (!(size >= 1 && size < 8388608)) c.Refuse(StrCat("its scale is ", scales[i]));
    sizes.push_back(static_cast<int64_t>(size));
    if (steps_by_scale && static_cast<float>(sizes[i]) != size)
      c.Refuse(StrCat("it steps by its scale ", scales[i], ", which does not fit a size of ",
                      dims[i + 2]));
  }
  if (known) return {c.Int32s(sizes), nullptr};
  return {nullptr, c.Float32s(scales)};
}

Size FromTensors(Conversion& c, bool second) {
  const std::vector<Operand*> list = c.Inputs("SizeTensor");
  Operand* size = list.empty() ? c.InputOrNull("OutSize") : nullptr;
  bool inside = size == nullptr || c.IsKnownInside(size);
  for (const Operand* operand : list) inside = inside && c.IsKnownInside(operand);
  if (!inside) c.Refuse("its size is computed outside of the device's subgraph");
  // Beside OutSize the second version still steps by its scale.
  if (size != nullptr && second && !c.Bool("align_corners") && !Scales(c, second).empty())
    c.Refuse("it has both a size and a scale");
  return {c.IntListOperand(size, list, {}), nullptr};
}

Size SizeOf(Conversion& c) {
  const bool second = IsSecondVersion(c);
  if (!c.Inputs("SizeTensor").empty() || c.Has("OutSize")) return FromTensors(c, second);
  const std::vector<float> scales = Scales(c, second);
  if (!scales.empty()) return FromScales(c, scales, second && !c.Bool("align_corners"));
  const int64_t height = c.Int("out_h"), width = c.Int("out_w");
  if (height < 1 || width < 1)
    c.Refuse(StrCat("the size of its result is ", height, " times ", width));
  return {c.Int32s({height, width}), nullptr};
}

void Convert(Conversion& c) {
  Operand* x = c.Input("X");
  const Size size = SizeOf(c);
  Operand* align = c.Bool8(c.Bool("align_corners"));
  if (c.Text("interp_method") == "nearest")
    return c.EmitTo({"Out"}, NNADAPTER_RESIZE_NEAREST, {x, size.shape, size.scales, align});
  c.EmitTo({"Out"}, NNADAPTER_RESIZE_LINEAR,
           {x, size.shape, size.scales, align, c.Int32(c.Int("align_mode"))});
}

REGISTER_NNADAPTER_CONVERTER(interpolate, Convert);

}  // namespace
}  // namespace paddle::lite::nnadapter_bridge
