// What multiclass_nms, multiclass_nms2 and multiclass_nms3 have in common.
#pragma once

#include <cstdint>
#include <vector>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"

namespace paddle::lite {

struct Detection {
  int64_t label;
  float score;
  const float* box;
  int64_t index;  // of the box in BBoxes, as output Index gives it
};

// Checks slots and attributes. Two forms: Scores [N, classes, boxes] with BBoxes [N, boxes, size];
// or Scores [boxes, classes] with BBoxes [boxes, classes, size], divided into images by RoisNum or
// by the LoD of BBoxes.
void InferMulticlassNms(InferContext& c);

// The detections of each image, ordered by class, and best first within one.
std::vector<std::vector<Detection>> DetectImages(const KernelContext& c);

// Writes rows of label, score and box, and the indexes where there is such an output.
void WriteDetections(KernelContext& c, const std::vector<std::vector<Detection>>& images);

// The offsets of the images' detections.
std::vector<uint64_t> DetectionOffsets(const std::vector<std::vector<Detection>>& images);

}  // namespace paddle::lite

#define LITE_MULTICLASS_NMS_ATTRS          \
  RequiredAttr<float>("score_threshold")   \
      .RequiredAttr<int32_t>("nms_top_k")  \
      .RequiredAttr<int32_t>("keep_top_k") \
      .Attr<float>("nms_threshold", 0.3f)  \
      .Attr<bool>("normalized", true)      \
      .Attr<float>("nms_eta", 1.0f)        \
      .Attr<int32_t>("background_label", 0)
