#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

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
