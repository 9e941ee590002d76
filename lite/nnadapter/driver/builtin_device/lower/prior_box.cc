#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(PRIOR_BOX, [](Lowering& l) {
  l.Emit("prior_box", {{"Input", {l.In("input")}}, {"Image", {l.In("image")}}},
         {{"Boxes", {l.Out("boxes")}}, {"Variances", {l.Out("variances")}}},
         {{"min_sizes", l.Floats("min_sizes")},
          {"max_sizes", l.Has("max_sizes") ? l.Floats("max_sizes") : std::vector<float>{}},
          {"aspect_ratios", l.Floats("aspect_ratios")},
          {"variances", l.Floats("variances")},
          {"flip", l.Bool("flip")},
          {"clip", l.Bool("clip")},
          {"step_w", l.Float("step_w")},
          {"step_h", l.Float("step_h")},
          {"offset", l.Float("offset")},
          {"min_max_aspect_ratios_order", l.Bool("min_max_aspect_ratios_order")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
