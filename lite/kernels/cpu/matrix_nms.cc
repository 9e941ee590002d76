#include <algorithm>
#include <cmath>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/nms.h"

namespace paddle::lite {
namespace {

void InferMatrixNms(InferContext& c) {
  const DDim& scores = c.Dims("Scores");
  const DDim& boxes = c.Dims("BBoxes");
  c.Require(scores.size() == 3, "input Scores has shape ", scores,
            ", expected [N, classes, boxes]");
  c.Require(boxes == DDim({scores[0], scores[2], 4}), "input BBoxes has shape ", boxes,
            ", expected [", scores[0], ", ", scores[2], ", 4] for Scores ", scores);
}

struct MatrixNmsFound {
  int64_t label;
  ScoredBox box;
};

// Lowers each candidate's score by its overlap with the better ones, in relation to how much those
// overlap with better ones themselves.
std::vector<ScoredBox> Decay(const KernelContext& c, const std::vector<ScoredBox>& candidates,
                             const float* boxes) {
  const float threshold = c.Attr<float>("post_threshold"), sigma = c.Attr<float>("gaussian_sigma");
  const bool gaussian = c.Attr<bool>("use_gaussian"), normalized = c.Attr<bool>("normalized");
  std::vector<ScoredBox> kept;
  std::vector<float> most;
  for (size_t i = 0; i < candidates.size(); ++i) {
    float highest = 0, decay = 1;
    for (size_t j = 0; j < i; ++j) {
      const float overlap = BoxOverlap(boxes + candidates[i].index * 4,
                                       boxes + candidates[j].index * 4, 4, normalized);
      highest = std::max(highest, overlap);
      const float factor = gaussian ? std::exp((most[j] * most[j] - overlap * overlap) * sigma)
                                    : (1 - overlap) / (1 - most[j]);
      decay = std::min(decay, factor);
    }
    most.push_back(highest);
    const float score = decay * candidates[i].score;
    if (score > threshold) kept.push_back({score, candidates[i].index});
  }
  return kept;
}

std::vector<MatrixNmsFound> DetectImage(const KernelContext& c, const float* scores,
                                        const float* boxes) {
  const DDim& dims = c.Input("Scores").dims();
  std::vector<MatrixNmsFound> all;
  for (int64_t label = 0; label < dims[1]; ++label) {
    if (label == c.Attr<int32_t>("background_label")) continue;
    const auto candidates =
        SelectCandidates(scores + label * dims[2], dims[2], 1, c.Attr<float>("score_threshold"),
                         c.Attr<int32_t>("nms_top_k"));
    for (const ScoredBox& box : Decay(c, candidates, boxes)) all.push_back({label, box});
  }
  std::stable_sort(all.begin(), all.end(), [](const MatrixNmsFound& a, const MatrixNmsFound& b) {
    return a.box.score > b.box.score;
  });
  const int64_t keep = c.Attr<int32_t>("keep_top_k");
  if (keep >= 0 && keep < static_cast<int64_t>(all.size())) all.resize(static_cast<size_t>(keep));
  return all;
}

void RunMatrixNms(KernelContext& c) {
  const DDim& dims = c.Input("Scores").dims();
  const float* scores = c.Input("Scores").data<float>();
  const float* boxes = c.Input("BBoxes").data<float>();
  std::vector<float> rows;
  std::vector<int32_t> indexes, counts;
  for (int64_t n = 0; n < dims[0]; ++n) {
    const float* image_boxes = boxes + n * dims[2] * 4;
    const auto found = DetectImage(c, scores + n * dims[1] * dims[2], image_boxes);
    counts.push_back(static_cast<int32_t>(found.size()));
    for (const MatrixNmsFound& f : found) {
      rows.push_back(static_cast<float>(f.label));
      rows.push_back(f.box.score);
      const float* box = image_boxes + f.box.index * 4;
      rows.insert(rows.end(), box, box + 4);
      indexes.push_back(static_cast<int32_t>(n * dims[2] + f.box.index));
    }
  }
  const auto count = static_cast<int64_t>(indexes.size());
  c.Output("Out").Allocate({count, 6}, DataType::kFP32);
  std::copy(rows.begin(), rows.end(), c.Output("Out").mutable_data<float>());
  if (Tensor* index = c.OutputOrNull("Index")) {
    index->Allocate({count, 1}, DataType::kInt32);
    std::copy(indexes.begin(), indexes.end(), index->mutable_data<int32_t>());
  }
  if (Tensor* rois = c.OutputOrNull("RoisNum")) {
    rois->Allocate({dims[0]}, DataType::kInt32);
    std::copy(counts.begin(), counts.end(), rois->mutable_data<int32_t>());
  }
}

}  // namespace

REGISTER_LITE_OP(matrix_nms)
    .Input("BBoxes")
    .Input("Scores")
    .Output("Out")
    .OptionalOutput("Index")
    .OptionalOutput("RoisNum")
    .RequiredAttr<float>("score_threshold")
    .RequiredAttr<int32_t>("nms_top_k")
    .RequiredAttr<int32_t>("keep_top_k")
    .Attr<float>("post_threshold", 0.0f)
    .Attr<bool>("use_gaussian", false)
    .Attr<float>("gaussian_sigma", 2.0f)
    .Attr<int32_t>("background_label", 0)
    .Attr<bool>("normalized", true)
    .DataDependent()
    .InferShape(InferMatrixNms);
REGISTER_LITE_FUNCTION(matrix_nms, kHost, kFloat, kNCHW, RunMatrixNms, def);

}  // namespace paddle::lite
