#include "lite/kernels/cpu/multiclass_nms.h"

namespace paddle::lite {
namespace {

// Where nothing is found this oldest form gives a single -1.
void RunMulticlassNms(KernelContext& c) {
  const auto images = DetectImages(c);
  WriteDetections(c, images);
  LoD lod{DetectionOffsets(images)};
  Tensor& out = c.Output("Out");
  if (lod[0].back() == 0) {
    out.Allocate({1, 1}, DataType::kFP32);
    out.mutable_data<float>()[0] = -1.0f;
    lod[0] = {0, 1};
  }
  out.set_lod(lod);
}

}  // namespace

REGISTER_LITE_OP(multiclass_nms)
    .Input("BBoxes")
    .Input("Scores")
    .Output("Out")
    .LITE_MULTICLASS_NMS_ATTRS.DataDependent()
    .InferShape(InferMulticlassNms);
REGISTER_LITE_FUNCTION(multiclass_nms, kHost, kFloat, kNCHW, RunMulticlassNms, def);

}  // namespace paddle::lite
