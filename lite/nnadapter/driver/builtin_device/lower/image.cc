// Images at other sizes and places.
#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

// Nearest interpolation of one spatial axis: as two, the first of which has one element.
void LowerResize(Lowering& l, const std::array<const char*, 3>& methods, int32_t align_mode) {
  const int rank = l.Rank("input") - 2;
  const bool inserted = rank == 1 && methods[0] == nullptr;
  ValueId x = l.In("input");
  if (inserted) {
    const ValueId flat = x;
    l.Emit("unsqueeze2", {{"X", {flat}}}, {{"Out", {x = l.Temp()}}}, {{"axes", Ints32{2}}});
  }
  const std::string method = methods[static_cast<size_t>(inserted ? 1 : rank - 1)];
  lite::AttributeMap attributes{{"interp_method", method},
                                {"align_corners", l.Bool("align_corners")},
                                {"align_mode", align_mode}};
  Slots inputs{{"X", {x}}};
  if (l.ListSize("shape") > 0) {
    auto size = l.Known("shape");
    if (size) {
      if (inserted) size->insert(size->begin(), 1);
      const char* const names[] = {"out_d", "out_h", "out_w"};
      for (size_t i = 0; i < size->size(); ++i)
        attributes[names[3 - size->size() + i]] = size->at(i);
    } else {
      l.Support(!inserted, "a computed shape for an input of rank 3");
      inputs["OutSize"] = {l.In("shape")};
    }
  } else if (l.IsConstant("scales")) {
    std::vector<float> scales = l.Floats("scales");
    if (inserted) scales.insert(scales.begin(), 1.0f);
    attributes["scale"] = scales;
  } else {
    l.Support(!inserted, "computed scales of an input of rank 3");
    inputs["Scale"] = {l.In("scales")};
  }
  const ValueId out = l.Out("output"), whole = inserted ? l.Temp() : out;
  l.Emit(method + "_interp_v2", inputs, {{"Out", {whole}}}, attributes);
  if (inserted) l.Emit("squeeze2", {{"X", {whole}}}, {{"Out", {out}}}, {{"axes", Ints32{2}}});
}

REGISTER_LOWERING(RESIZE_LINEAR, [](Lowering& l) {
  LowerResize(l, {"linear", "bilinear", "trilinear"}, l.I32("align_mode"));
});

REGISTER_LOWERING(RESIZE_NEAREST, [](Lowering& l) {
  LowerResize(l, {nullptr, "nearest", "nearest"}, 1);
});

std::string PaddingOf(int64_t pad_mode) {
  if (pad_mode == NNADAPTER_PAD_MODE_REFLECT) return "reflection";
  const bool edge = pad_mode == NNADAPTER_PAD_MODE_EDGE || pad_mode == NNADAPTER_PAD_MODE_REPLICATE;
  return edge ? "border" : "zeros";
}

REGISTER_LOWERING(GRID_SAMPLE, [](Lowering& l) {
  const bool nearest = l.Int("mode") == NNADAPTER_INTERPOLATE_MODE_NEAREST;
  l.Emit("grid_sampler", {{"X", {l.In("input")}}, {"Grid", {l.In("grid")}}},
         {{"Output", {l.Out("output")}}},
         {{"mode", std::string(nearest ? "nearest" : "bilinear")},
          {"padding_mode", PaddingOf(l.Int("pad_mode"))},
          {"align_corners", l.Bool("align_corners")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
