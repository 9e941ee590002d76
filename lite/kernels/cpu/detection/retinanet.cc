#include <algorithm>
#include <cmath>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/detection/box_decoding.h"
#include "lite/kernels/cpu/detection/nms.h"
#include "lite/kernels/cpu/sequence/sequence.h"

namespace paddle::lite {
namespace {

void InferRetinanet(InferContext& c) {
  const size_t levels = c.InputCount("BBoxes");
  c.Require(levels == c.InputCount("Scores") && levels == c.InputCount("Anchors"),
            "inputs BBoxes, Scores and Anchors have ", levels, ", ", c.InputCount("Scores"),
            " and ", c.InputCount("Anchors"), " levels, expected as many");
  const DDim& first = c.Dims("Scores");
  c.Require(first.size() == 3 && first[2] > 0, "Scores[0] has shape ", first,
            ", expected [images, boxes, classes]");
  for (size_t i = 0; i < levels; ++i) {
    const DDim &scores = c.Dims("Scores", i), &boxes = c.Dims("BBoxes", i);
    const DDim& anchors = c.Dims("Anchors", i);
    c.Require(scores.size() == 3 && scores[0] == first[0] && scores[2] == first[2], "Scores[", i,
              "] has shape ", scores, ", expected [", first[0], ", boxes, ", first[2], "]");
    c.Require(boxes.size() == 3 && boxes[0] == first[0] && boxes[1] == scores[1] && boxes[2] == 4,
              "BBoxes[", i, "] has shape ", boxes, ", expected [", first[0], ", ", scores[1],
              ", 4]");
    c.Require(anchors.size() == 2 && anchors[0] == scores[1] && anchors[1] == 4, "Anchors[", i,
              "] has shape ", anchors, ", expected [", scores[1], ", 4]");
  }
  const DDim& info = c.Dims("ImInfo");
  c.Require(info.size() == 2 && info[0] == first[0] && info[1] == 3, "input ImInfo has shape ",
            info, ", expected [", first[0], ", 3]");
}

struct RetinaBox {
  int64_t label;
  float score;
  float corners[4];
};

// An anchor moved by a box's four numbers, in the image as it was before it was scaled.
void PlaceAnchor(const float* anchor, const float* by, const float* info, float* box) {
  constexpr float kVariance[4] = {1, 1, 1, 1};
  DecodeBox(by, Center<float>(anchor, 1), 1.0f, kVariance, box);
  const float right = std::round(info[1] / info[2]) - 1, bottom = std::round(info[0] / info[2]) - 1;
  for (int i = 0; i < 4; ++i)
    box[i] = std::max(std::min(box[i] / info[2], i % 2 == 0 ? right : bottom), 0.0f);
}

class Retina {
 public:
  explicit Retina(const KernelContext& c)
      : c_(c),
        levels_(c.InputCount("Scores")),
        classes_(c.Input("Scores").dims()[2]),
        rule_{c.Attr<float>("nms_threshold"), c.Attr<float>("nms_eta"), /*normalized=*/false} {}

  std::vector<RetinaBox> Detect(int64_t image) const {
    std::vector<std::vector<float>> corners(static_cast<size_t>(classes_)), scores(corners);
    for (size_t level = 0; level < levels_; ++level) AddLevel(image, level, &corners, &scores);
    std::vector<RetinaBox> all;
    for (size_t k = 0; k < corners.size(); ++k) {
      const auto candidates = SelectCandidates(
          scores[k].data(), static_cast<int64_t>(scores[k].size()), 1, -INFINITY, -1);
      for (const ScoredBox& kept : Suppress(candidates, corners[k].data(), 4, 4, rule_)) {
        RetinaBox box{static_cast<int64_t>(k) + 1, kept.score, {}};
        std::copy_n(corners[k].data() + 4 * kept.index, 4, box.corners);
        all.push_back(box);
      }
    }
    const int64_t most = c_.Attr<int32_t>("keep_top_k");
    std::stable_sort(all.begin(), all.end(),
                     [](const RetinaBox& a, const RetinaBox& b) { return a.score > b.score; });
    if (most > -1 && static_cast<int64_t>(all.size()) > most) all.resize(static_cast<size_t>(most));
    return all;
  }

 private:
  // The best of one level; on the last, whatever their scores.
  void AddLevel(int64_t image, size_t level, std::vector<std::vector<float>>* corners,
                std::vector<std::vector<float>>* scores) const {
    const Tensor &s = c_.Input("Scores", level), &boxes = c_.Input("BBoxes", level);
    const int64_t count = s.dims()[1] * classes_;
    const float* box = boxes.data<float>() + image * s.dims()[1] * 4;
    const float* anchors = c_.Input("Anchors", level).data<float>();
    const float* info = c_.Input("ImInfo").data<float>() + image * 3;
    const float limit = level + 1 < levels_ ? c_.Attr<float>("score_threshold") : 0.0f;
    for (const ScoredBox& one : SelectCandidates(s.data<float>() + image * count, count, 1, limit,
                                                 c_.Attr<int32_t>("nms_top_k"))) {
      const int64_t at = one.index / classes_ * 4;
      const auto label = static_cast<size_t>(one.index % classes_);
      float placed[4];
      PlaceAnchor(anchors + at, box + at, info, placed);
      (*corners)[label].insert((*corners)[label].end(), placed, placed + 4);
      (*scores)[label].push_back(one.score);
    }
  }

  const KernelContext& c_;
  size_t levels_;
  int64_t classes_;
  NmsRule rule_;
};

// Where nothing is found there is a single row of zeros, and no image has it.
void RunRetinanet(KernelContext& c) {
  const Retina retina(c);
  std::vector<RetinaBox> all;
  Offsets offsets{0};
  for (int64_t image = 0; image < c.Input("Scores").dims()[0]; ++image) {
    const std::vector<RetinaBox> found = retina.Detect(image);
    all.insert(all.end(), found.begin(), found.end());
    offsets.push_back(all.size());
  }
  Tensor& out = c.Output("Out");
  out.Allocate({std::max<int64_t>(static_cast<int64_t>(all.size()), 1), 6}, DataType::kFP32);
  float* row = out.mutable_data<float>();
  std::fill_n(row, out.numel(), 0.0f);
  for (const RetinaBox& box : all) {
    row[0] = static_cast<float>(box.label);
    row[1] = box.score;
    row = std::copy_n(box.corners, 4, row + 2);
  }
  out.set_lod({offsets});
}

REGISTER_LITE_OP(retinanet_detection_output)
    .Inputs("BBoxes")
    .Inputs("Scores")
    .Inputs("Anchors")
    .Input("ImInfo")
    .Output("Out")
    .RequiredAttr<float>("score_threshold")
    .RequiredAttr<int32_t>("nms_top_k")
    .RequiredAttr<float>("nms_threshold")
    .RequiredAttr<int32_t>("keep_top_k")
    .Attr<float>("nms_eta", 1.0f)
    .DataDependent()
    .InferShape(InferRetinanet);
REGISTER_LITE_FUNCTION(retinanet_detection_output, kHost, kFloat, kNCHW, RunRetinanet, def);

}  // namespace
}  // namespace paddle::lite
