#include "lite/kernels/cpu/detection/multiclass_nms.h"

#include <algorithm>

#include "lite/kernels/cpu/detection/nms.h"
#include "lite/kernels/cpu/sequence/sequence.h"

namespace paddle::lite {
namespace {

// One image's scores and boxes: those of class c and box b start at c * class step + b * box step.
struct Candidates {
  const float *scores, *boxes;
  int64_t classes, count, box_size;
  int64_t score_class_step, score_box_step, box_class_step, box_step;
  int64_t first_index, index_class_step, index_box_step;
};

struct Selected {
  int64_t label;
  ScoredBox box;
};

std::vector<Selected> KeepBest(std::vector<Selected> all, int64_t keep_top_k, bool by_index) {
  if (keep_top_k >= 0 && static_cast<int64_t>(all.size()) > keep_top_k) {
    std::stable_sort(all.begin(), all.end(), [](const Selected& a, const Selected& b) {
      return a.box.score > b.box.score;
    });
    all.resize(static_cast<size_t>(keep_top_k));
  }
  std::stable_sort(all.begin(), all.end(), [by_index](const Selected& a, const Selected& b) {
    if (a.label != b.label) return a.label < b.label;
    return by_index && a.box.index < b.box.index;
  });
  return all;
}

float OverlapLimit(const KernelContext& c) {
  const bool computed =
      c.op().info().FindInput("NmsThreshold") >= 0 && c.InputOrNull("NmsThreshold") != nullptr;
  return computed ? c.Input("NmsThreshold").data<float>()[0] : c.Attr<float>("nms_threshold");
}

std::vector<Detection> DetectImage(const KernelContext& c, const Candidates& image, bool by_index) {
  NmsRule rule{OverlapLimit(c), c.Attr<float>("nms_eta"), c.Attr<bool>("normalized")};
  if (c.op().info().FindAttr("keep_of_class") >= 0) rule.most = c.Attr<int32_t>("keep_of_class");
  std::vector<Selected> all;
  for (int64_t label = 0; label < image.classes; ++label) {
    if (label == c.Attr<int32_t>("background_label")) continue;
    const float* boxes = image.boxes + label * image.box_class_step;
    const auto candidates = SelectCandidates(
        image.scores + label * image.score_class_step, image.count, image.score_box_step,
        c.Attr<float>("score_threshold"), c.Attr<int32_t>("nms_top_k"));
    for (const ScoredBox& box : Suppress(candidates, boxes, image.box_step, image.box_size, rule))
      all.push_back({label, box});
  }
  std::vector<Detection> detections;
  for (const Selected& s : KeepBest(std::move(all), c.Attr<int32_t>("keep_top_k"), by_index))
    detections.push_back(
        {s.label, s.box.score,
         image.boxes + s.label * image.box_class_step + s.box.index * image.box_step,
         image.first_index + s.label * image.index_class_step +
             s.box.index * image.index_box_step});
  return detections;
}

// Where the images begin in BBoxes of the second form.
std::vector<int64_t> ImageStarts(const KernelContext& c, const Tensor& boxes) {
  const bool has_rois_num =
      c.op().info().FindInput("RoisNum") >= 0 && c.InputOrNull("RoisNum") != nullptr;
  if (!has_rois_num) {
    const Offsets& offsets = FinestOffsets(boxes.meta(), "BBoxes");
    return {offsets.begin(), offsets.end()};
  }
  const std::vector<int64_t> counts = ReadInts(c.Input("RoisNum"), "RoisNum");
  std::vector<int64_t> starts{0};
  for (const int64_t count : counts) {
    if (count < 0 || count > boxes.dims()[0] - starts.back())
      throw ShapeError(StrCat("input RoisNum holds ", count, " after ", starts.back(),
                              " boxes, BBoxes has shape ", boxes.dims()));
    starts.push_back(starts.back() + count);
  }
  return starts;
}

}  // namespace

void InferMulticlassNms(InferContext& c) {
  const DDim& scores = c.Dims("Scores");
  const DDim& boxes = c.Dims("BBoxes");
  c.Require(scores.size() == 2 || scores.size() == 3, "input Scores has shape ", scores,
            ", expected [N, classes, boxes] or [boxes, classes]");
  c.Require(boxes.size() == 3, "input BBoxes has shape ", boxes, ", expected rank 3");
  if (c.op().info().FindInput("NmsThreshold") >= 0 && c.HasInput("NmsThreshold"))
    c.Require(c.Dims("NmsThreshold").production() == 1, "input NmsThreshold has shape ",
              c.Dims("NmsThreshold"), ", expected one number");
  const int64_t size = boxes[2];
  c.Require(
      size == 4 || (scores.size() == 3 && (size == 8 || size == 16 || size == 24 || size == 32)),
      "input BBoxes has shape ", boxes, ", expected boxes of 4 numbers",
      scores.size() == 3 ? " or polygons of 8, 16, 24 or 32" : "");
  if (scores.size() == 3)
    // Boxes of more images than there are scores for are left alone, as Paddle leaves them.
    c.Require(boxes[0] >= scores[0] && boxes[1] == scores[2], "input BBoxes has shape ", boxes,
              ", expected [", scores[0], ", ", scores[2], ", size] for Scores ", scores);
  else
    c.Require(boxes[0] == scores[0] && boxes[1] == scores[1], "input BBoxes has shape ", boxes,
              ", expected [", scores[0], ", ", scores[1], ", 4] for Scores ", scores);
}

std::vector<std::vector<Detection>> DetectImages(const KernelContext& c) {
  const Tensor& boxes = c.Input("BBoxes");
  const Tensor& scores = c.Input("Scores");
  const DDim& s = scores.dims();
  const int64_t size = boxes.dims()[2];
  const float* score_data = scores.data<float>();
  const float* box_data = boxes.data<float>();
  std::vector<std::vector<Detection>> images;
  if (s.size() == 3) {
    for (int64_t n = 0; n < s[0]; ++n)
      images.push_back(DetectImage(c,
                                   {score_data + n * s[1] * s[2], box_data + n * s[2] * size, s[1],
                                    s[2], size, s[2], 1, 0, size, n * s[2], 0, 1},
                                   /*by_index=*/false));
    return images;
  }
  const std::vector<int64_t> starts = ImageStarts(c, boxes);
  for (size_t n = 0; n + 1 < starts.size(); ++n) {
    const int64_t first = starts[n] * s[1];
    images.push_back(
        DetectImage(c,
                    {score_data + first, box_data + first * size, s[1], starts[n + 1] - starts[n],
                     size, 1, s[1], size, s[1] * size, first, 1, s[1]},
                    /*by_index=*/true));
  }
  return images;
}

void WriteDetections(KernelContext& c, const std::vector<std::vector<Detection>>& images) {
  const int64_t size = c.Input("BBoxes").dims()[2];
  const auto count = static_cast<int64_t>(DetectionOffsets(images).back());
  Tensor& out = c.Output("Out");
  out.Allocate({count, size + 2}, DataType::kFP32);
  float* row = out.mutable_data<float>();
  int32_t* index = nullptr;
  if (c.op().info().FindOutput("Index") >= 0 && c.OutputOrNull("Index") != nullptr) {
    c.Output("Index").Allocate({count, 1}, DataType::kInt32);
    index = c.Output("Index").mutable_data<int32_t>();
  }
  for (const auto& image : images) {
    for (const Detection& detection : image) {
      row[0] = static_cast<float>(detection.label);
      row[1] = detection.score;
      std::copy(detection.box, detection.box + size, row + 2);
      row += size + 2;
      if (index != nullptr) *index++ = static_cast<int32_t>(detection.index);
    }
  }
}

std::vector<uint64_t> DetectionOffsets(const std::vector<std::vector<Detection>>& images) {
  std::vector<uint64_t> offsets{0};
  for (const auto& image : images) offsets.push_back(offsets.back() + image.size());
  return offsets;
}

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
    .OptionalInput("NmsThreshold")  // nms_threshold where it is computed: ONNX's NonMaxSuppression
    .Output("Out")
    .OptionalOutput("Index")
    .OptionalOutput("NmsRoisNum")
    .LITE_MULTICLASS_NMS_ATTRS.DataDependent()
    .Attr<int32_t>("keep_of_class", -1)  // so many at most: ONNX's, too
    .InferShape(InferMulticlassNms);
REGISTER_LITE_FUNCTION(multiclass_nms3, kHost, kFloat, kNCHW, RunMulticlassNms3, def);

}  // namespace paddle::lite
