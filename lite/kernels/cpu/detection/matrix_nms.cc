#include <algorithm>
#include <cmath>
#include <limits>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/detection/multiclass_nms.h"
#include "lite/kernels/cpu/detection/nms.h"

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
  std::vector<float> most, overlaps(candidates.size());
  CornerBoxes better(normalized);
  for (size_t i = 0; i < candidates.size(); ++i) {
    const float* const box = boxes + candidates[i].index * 4;
    better.OverlapsWith(box, 0, better.size(), overlaps.data());
    better.Add(box);
    float highest = 0, decay = 1;
    for (size_t j = 0; j < i; ++j) {
      const float overlap = overlaps[j];
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

namespace {

// multiclass_nms behind a merge: boxes that follow one another and overlap become one, their mean
// weighted by score, whose score is the sum. A later class finds the boxes as the earlier ones left
// them, as in Paddle. What is found of all images is one list; nothing gives a single -1.
void InferLocalityAwareNms(InferContext& c) {
  for (const char* slot : {"BBoxes", "Scores"})
    if (c.Input(slot).dtype != DataType::kFP32)
      throw DataTypeError(
          StrCat("input ", slot, " is ", Name(c.Input(slot).dtype), ", expected float32"));
  c.Require(c.Dims("Scores").size() == 3, "input Scores has shape ", c.Dims("Scores"),
            ", expected [N, classes, boxes]");
  InferMulticlassNms(c);
}

struct LocalityAwareNmsFound {
  int64_t label;
  ScoredBox box;
};

// Merges neighbours; scores of those that are part of another become -infinity.
void Merge(float* boxes, float* scores, int64_t count, int64_t size, const NmsRule& rule) {
  int64_t kept = 0;
  for (int64_t i = 1; i < count; ++i) {
    float *into = boxes + kept * size, *from = boxes + i * size;
    if (!(BoxOverlap(from, into, size, rule.normalized) > rule.threshold)) {
      kept = i;
      continue;
    }
    const float sum = scores[i] + scores[kept];
    for (int64_t k = 0; sum != 0 && k < size; ++k)
      into[k] = (from[k] * scores[i] + into[k] * scores[kept]) / sum;
    scores[kept] = sum;
    scores[i] = -std::numeric_limits<float>::infinity();
  }
}

std::vector<LocalityAwareNmsFound> Detect(const KernelContext& c, float* boxes, const float* scores,
                                          int64_t classes, int64_t count, int64_t size) {
  const NmsRule rule{c.Attr<float>("nms_threshold"), c.Attr<float>("nms_eta"),
                     c.Attr<bool>("normalized")};
  const float least = c.Attr<float>("score_threshold");
  std::vector<LocalityAwareNmsFound> all;
  for (int64_t label = 0; label < classes; ++label) {
    if (label == c.Attr<int32_t>("background_label")) continue;
    std::vector<float> own(scores + label * count, scores + (label + 1) * count);
    Merge(boxes, own.data(), count, size, rule);
    const auto candidates =
        SelectCandidates(own.data(), count, 1, least, c.Attr<int32_t>("nms_top_k"));
    for (const ScoredBox& box : Suppress(candidates, boxes, size, size, rule))
      all.push_back({label, box});
  }
  const int64_t most = c.Attr<int32_t>("keep_top_k");
  if (most >= 0 && static_cast<int64_t>(all.size()) > most) {
    std::stable_sort(all.begin(), all.end(),
                     [](const LocalityAwareNmsFound& a, const LocalityAwareNmsFound& b) {
                       return a.box.score > b.box.score;
                     });
    all.resize(static_cast<size_t>(most));
    std::stable_sort(all.begin(), all.end(),
                     [](const LocalityAwareNmsFound& a, const LocalityAwareNmsFound& b) {
                       return a.label < b.label;
                     });
  }
  return all;
}

void RunLocalityAwareNms(KernelContext& c) {
  const DDim& dims = c.Input("Scores").dims();
  const int64_t size = c.Input("BBoxes").dims()[2], count = dims[2];
  const float *scores = c.Input("Scores").data<float>(), *given = c.Input("BBoxes").data<float>();
  std::vector<float> rows;
  std::vector<uint64_t> offsets{0};
  for (int64_t n = 0; n < dims[0]; ++n) {
    std::vector<float> boxes(given + n * count * size, given + (n + 1) * count * size);
    const auto found = Detect(c, boxes.data(), scores + n * dims[1] * count, dims[1], count, size);
    for (const LocalityAwareNmsFound& one : found) {
      const float* box = boxes.data() + one.box.index * size;
      rows.push_back(static_cast<float>(one.label));
      rows.push_back(one.box.score);
      rows.insert(rows.end(), box, box + size);
    }
    offsets.push_back(offsets.back() + found.size());
  }
  Tensor& out = c.Output("Out");
  if (rows.empty()) {
    out.Allocate({1, 1}, DataType::kFP32);
    out.mutable_data<float>()[0] = -1.0f;
    out.set_lod({{0, 1}});
    return;
  }
  out.Allocate({static_cast<int64_t>(offsets.back()), size + 2}, DataType::kFP32);
  std::copy(rows.begin(), rows.end(), out.mutable_data<float>());
  out.set_lod({offsets});
}

REGISTER_LITE_OP(locality_aware_nms)
    .Input("BBoxes")
    .Input("Scores")
    .Output("Out")
    .Attr<int32_t>("background_label", -1)
    .RequiredAttr<float>("score_threshold")
    .RequiredAttr<int32_t>("nms_top_k")
    .RequiredAttr<int32_t>("keep_top_k")
    .Attr<float>("nms_threshold", 0.3f)
    .Attr<float>("nms_eta", 1.0f)
    .Attr<bool>("normalized", true)
    .DataDependent()
    .InferShape(InferLocalityAwareNms);
REGISTER_LITE_FUNCTION(locality_aware_nms, kHost, kFloat, kNCHW, RunLocalityAwareNms, def);

}  // namespace
}  // namespace paddle::lite
