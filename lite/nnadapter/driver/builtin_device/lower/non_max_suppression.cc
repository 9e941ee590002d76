#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

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
