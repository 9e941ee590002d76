#include "lite/kernels/cpu/multiclass_nms.h"

namespace paddle::lite {
namespace {

void RunMulticlassNms3(KernelContext& c) {
  const auto images = DetectImages(c);
  WriteDetections(c, images);
  if (!c.HasOutput("NmsRoisNum")) return;
  c.Output("NmsRoisNum").Allocate({static_cast<int64_t>(images.size())}, DataType::kInt32);
  int32_t* counts = c.Output("NmsRoisNum").mutable_data<int32_t>();
  for (const auto& image : images) *counts++ = static_cast<int32_t>(image.size());
}

}  // namespace

REGISTER_LITE_OP(multiclass_nms3)
    .Input("BBoxes")
    .Input("Scores")
    .OptionalInput("RoisNum")
    .Output("Out")
    .OptionalOutput("Index")
    .OptionalOutput("NmsRoisNum")
    .LITE_MULTICLASS_NMS_ATTRS.DataDependent()
    .InferShape(InferMulticlassNms);
REGISTER_LITE_FUNCTION(multiclass_nms3, kHost, kFloat, kNCHW, RunMulticlassNms3, def);

}  // namespace paddle::lite
