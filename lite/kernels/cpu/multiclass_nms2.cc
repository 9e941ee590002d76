#include "lite/kernels/cpu/multiclass_nms.h"

namespace paddle::lite {
namespace {

void RunMulticlassNms2(KernelContext& c) {
  const auto images = DetectImages(c);
  WriteDetections(c, images);
  const LoD lod{DetectionOffsets(images)};
  c.Output("Out").set_lod(lod);
  if (c.HasOutput("Index")) c.Output("Index").set_lod(lod);
}

}  // namespace

REGISTER_LITE_OP(multiclass_nms2)
    .Input("BBoxes")
    .Input("Scores")
    .Output("Out")
    .OptionalOutput("Index")
    .LITE_MULTICLASS_NMS_ATTRS.DataDependent()
    .InferShape(InferMulticlassNms);
REGISTER_LITE_FUNCTION(multiclass_nms2, kHost, kFloat, kNCHW, RunMulticlassNms2, def);

}  // namespace paddle::lite
