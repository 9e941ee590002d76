// nearest_interp, bilinear_interp and their second versions. Paddle's second version steps by the
// given scale, NNAdapter by the sizes: where the two differ, the operator stays on the CPU.
#include <algorithm>
#include <cmath>

#include "lite/kernels/nnadapter/converter.h"

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

// Where output i comes from if one output moves the input by `ratio`: an index for nearest.
double PositionOf(Conversion& c, int64_t i, float ratio, int64_t in) {
  const auto last = static_cast<double>(in - 1);
  const float edge = ratio * static_cast<float>(i);
  if (c.Text("interp_method") == "nearest") return std::min(std::floor(double{edge}), last);
  if (c.Int("align_mode") == 1) return std::min(double{edge}, last);
  const double centre = double{ratio} * (static_cast<double>(i) + 0.5) - 0.5;
  return std::clamp(centre, 0.0, last);
}

// Whether stepping by the scale reads what stepping by the sizes does.
bool StepsAlike(Conversion& c, int64_t in, int64_t out, float scale) {
  if (out <= 1) return true;  // nothing is stepped
  const auto by_scale = static_cast<float>(1.0 / static_cast<double>(scale));
  const float by_size = static_cast<float>(in) / static_cast<float>(out);
  if (by_scale == by_size) return true;
  // Positions are fp32 numbers below `in`; indexes have no rounding.
  const bool nearest = c.Text("interp_method") == "nearest";
  const double tolerance = nearest ? 0.0 : 2e-6 * static_cast<double>(in);
  for (int64_t i = 0; i < out; ++i)
    if (!(std::fabs(PositionOf(c, i, by_scale, in) - PositionOf(c, i, by_size, in)) <= tolerance))
      return false;
  return true;
}

// Refuses sizes that the second version, which steps by the scales, fills otherwise.
void CheckSteps(Conversion& c, const std::vector<int64_t>& sizes,
                const std::vector<float>& scales) {
  const std::vector<int64_t> dims = c.Dims(c.Input("X"));
  if (dims[2] == NNADAPTER_UNKNOWN || dims[3] == NNADAPTER_UNKNOWN) throw NeedsKnown{};
  if (sizes == std::vector<int64_t>{dims[2], dims[3]}) return;  // Paddle copies
  for (size_t i = 0; i < 2; ++i)
    if (!StepsAlike(c, dims[i + 2], sizes[i], scales[i]))
      c.Refuse(StrCat("it steps by its scale ", scales[i], ", which does not fit ", dims[i + 2],
                      " elements that become ", sizes[i]));
}

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
  }
  if (!known) return {nullptr, c.Float32s(scales)};
  if (steps_by_scale) CheckSteps(c, sizes, scales);
  return {c.Int32s(sizes), nullptr};
}

Size FromTensors(Conversion& c, bool second) {
  const std::vector<Operand*> list = c.Inputs("SizeTensor");
  Operand* size = list.empty() ? c.InputOrNull("OutSize") : nullptr;
  bool inside = size == nullptr || c.IsShape(size);
  for (const Operand* operand : list) inside = inside && c.IsShape(operand);
  if (!inside) c.Refuse("its size is computed outside of the device's subgraph");
  // Beside OutSize the second version still steps by its scale.
  if (size != nullptr && second && !c.Bool("align_corners")) {
    const std::vector<float> scales = Scales(c, second);
    if (!scales.empty()) {
      if (!c.IsConstant(size)) c.Refuse("it has a scale and a size that the model computes");
      const std::vector<int64_t> sizes = c.ConstantInts(size);
      if (sizes.size() != 2) c.Refuse(StrCat("its OutSize has ", sizes.size(), " numbers, not 2"));
      CheckSteps(c, sizes, scales);
    }
  }
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

// NNAdapter's one element of an axis is the input's first, as Paddle's.
void CheckSingle(Conversion& c, const Operand* out) {
  if (!c.Bool("single_in_middle") || c.Bool("align_corners") || c.Int("align_mode") != 0) return;
  const std::vector<int64_t> dims = c.Dims(out);
  for (size_t axis = 2; axis < dims.size(); ++axis) {
    if (dims[axis] == NNADAPTER_UNKNOWN) throw NeedsKnown{};
    if (dims[axis] == 1) c.Refuse("the one element of an axis lies in the middle of its input's");
  }
}

void ConvertInterpolate(Conversion& c) {
  Operand* x = c.Input("X");
  const Size size = SizeOf(c);
  Operand* align = c.Bool8(c.Bool("align_corners"));
  if (c.Text("interp_method") == "nearest")
    return c.EmitTo({"Out"}, NNADAPTER_RESIZE_NEAREST, {x, size.shape, size.scales, align});
  Operand* const out = c.EmitOne(NNADAPTER_RESIZE_LINEAR,
                                 {x, size.shape, size.scales, align, c.Int32(c.Int("align_mode"))});
  CheckSingle(c, out);
  c.SetOutput("Out", out);
}

REGISTER_NNADAPTER_CONVERTER(interpolate, ConvertInterpolate);

}  // namespace
}  // namespace paddle::lite::nnadapter_bridge
