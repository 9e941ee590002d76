#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(ROI_ALIGN, [](Lowering& l) {
  l.Emit(
      "roi_align",
      {{"X", {l.In("input")}}, {"ROIs", {l.In("rois")}}, {"BatchIndices", {l.In("batch_indices")}}},
      {{"Out", {l.Out("output")}}},
      {{"pooled_height", l.I32("output_height")},
       {"pooled_width", l.I32("output_width")},
       {"sampling_ratio", l.I32("sampling_ratio")},
       {"spatial_scale", l.Float("spatial_scale")},
       {"aligned", l.Bool("aligned")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
