#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

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

}  // namespace
}  // namespace nnadapter::builtin_device
