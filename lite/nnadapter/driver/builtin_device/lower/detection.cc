// Boxes.
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

REGISTER_LOWERING(YOLO_BOX, [](Lowering& l) {
  l.Emit("yolo_box", {{"X", {l.In("input")}}, {"ImgSize", {l.In("imgsize")}}},
         {{"Boxes", {l.Out("boxes")}}, {"Scores", {l.Out("scores")}}},
         {{"anchors", l.I32s("anchors")},
          {"class_num", l.I32("class_num")},
          {"conf_thresh", l.Float("conf_thresh")},
          {"downsample_ratio", l.I32("downsample_ratio")},
          {"clip_bbox", l.Bool("clip_bbox", true)},
          {"scale_x_y", l.Float("scale_x_y", 1.0f)},
          {"iou_aware", l.Bool("iou_aware", false)},
          {"iou_aware_factor", l.Float("iou_aware_factor", 0.5f)}});
});

REGISTER_LOWERING(NON_MAX_SUPPRESSION, [](Lowering& l) {
  l.Emit("multiclass_nms3",
         {{"BBoxes", {l.In("bboxes")}},
          {"Scores", {l.In("scores")}},
          {"RoisNum", l.OptionalIn("rois_num")}},
         {{"Out", {l.Out("output")}},
          {"NmsRoisNum", l.OptionalOut("out_rois_num")},
          {"Index", l.OptionalOut("index")}},
         {{"background_label", l.I32("background_label")},
          {"score_threshold", l.Float("score_threshold")},
          {"nms_top_k", l.I32("nms_top_k")},
          {"nms_threshold", l.Float("nms_threshold")},
          {"nms_eta", l.Float("nms_eta")},
          {"keep_top_k", l.I32("keep_top_k")},
          {"normalized", l.Bool("normalized")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
