// generate_proposals_v2, and generate_proposals, whose images say how they were scaled.
#include <algorithm>
#include <cmath>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/nms.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

void InferProposals(InferContext& c) {
  const DDim& s = c.Dims("Scores");
  c.Require(s.size() == 4, "input Scores has shape ", s, ", expected [N, anchors, H, W]");
  const DDim deltas{s[0], DDim{s[1], 4}.production(), s[2], s[3]};
  c.Require(c.Dims("BboxDeltas") == deltas, "input BboxDeltas has shape ", c.Dims("BboxDeltas"),
            ", expected ", deltas);
  const int64_t numbers = DDim{s[2], s[3], s[1], 4}.production();
  for (const char* slot : {"Anchors", "Variances"})
    c.Require(c.Dims(slot).production() == numbers && c.Dims(slot).back() == 4, "input ", slot,
              " has shape ", c.Dims(slot), ", expected [", s[2], ", ", s[3], ", ", s[1], ", 4]");
}

void InferV1(InferContext& c) {
  InferProposals(c);
  const DDim& s = c.Dims("Scores");
  c.Require(c.Dims("ImInfo").production() == DDim({s[0], 3}).production(),
            "input ImInfo has shape ", c.Dims("ImInfo"), ", expected [", s[0], ", 3]");
}

void InferV2(InferContext& c) {
  InferProposals(c);
  const DDim& s = c.Dims("Scores");
  c.Require(c.Dims("ImShape") == DDim({s[0], 2}), "input ImShape has shape ", c.Dims("ImShape"),
            ", expected [", s[0], ", 2]");
}

struct Box {
  float x1, y1, x2, y2;
};

// Boxes and scores of one image, in the order of the anchors: row, column, anchor.
struct Image {
  const float *scores, *deltas, *anchors, *variances;
  int64_t count, area, per_place;
  float height, width;
  float scale;  // from the image to where min_size counts

  float Score(int64_t i) const { return scores[i % per_place * area + i / per_place]; }
  float Delta(int64_t i, int64_t k) const {
    return deltas[(i % per_place * 4 + k) * area + i / per_place];
  }

  Box Decode(int64_t i, float pixel) const {
    const float limit = std::log(1000.0f / 16.0f);
    const float *anchor = anchors + 4 * i, *variance = variances + 4 * i;
    const float w = anchor[2] - anchor[0] + pixel, h = anchor[3] - anchor[1] + pixel;
    const float x = variance[0] * Delta(i, 0) * w + anchor[0] + 0.5f * w;
    const float y = variance[1] * Delta(i, 1) * h + anchor[1] + 0.5f * h;
    const float half_w = std::exp(std::min(variance[2] * Delta(i, 2), limit)) * w / 2;
    const float half_h = std::exp(std::min(variance[3] * Delta(i, 3), limit)) * h / 2;
    const auto clip = [](float v, float high) { return std::max(std::min(v, high), 0.0f); };
    return {clip(x - half_w, width - pixel), clip(y - half_h, height - pixel),
            clip(x + half_w - pixel, width - pixel), clip(y + half_h - pixel, height - pixel)};
  }
};

struct Proposals {
  std::vector<Box> boxes;
  std::vector<float> scores;
};

bool LargeEnough(const Box& box, const Image& image, float min_size, float pixel) {
  const float w = box.x2 - box.x1 + pixel, h = box.y2 - box.y1 + pixel;
  if (!((w - pixel) / image.scale + pixel >= min_size &&
        (h - pixel) / image.scale + pixel >= min_size))
    return false;
  return pixel == 0 || (box.x1 + w / 2 <= image.width && box.y1 + h / 2 <= image.height);
}

Proposals Propose(const KernelContext& c, const Image& image, bool pixel_offset) {
  const float pixel = pixel_offset ? 1.0f : 0.0f;
  const float min_size = std::max(c.Attr<float>("min_size"), 1.0f);
  std::vector<ScoredBox> order;
  for (int64_t i = 0; i < image.count; ++i)
    if (!std::isnan(image.Score(i))) order.push_back({image.Score(i), i});
  std::stable_sort(order.begin(), order.end(),
                   [](const ScoredBox& a, const ScoredBox& b) { return a.score > b.score; });
  const int64_t before = c.Attr<int32_t>("pre_nms_topN");
  if (before > 0 && before < static_cast<int64_t>(order.size()))
    order.resize(static_cast<size_t>(before));
  std::vector<Box> boxes;
  std::vector<ScoredBox> candidates;
  for (const ScoredBox& scored : order) {
    const Box box = image.Decode(scored.index, pixel);
    if (!LargeEnough(box, image, min_size, pixel)) continue;
    candidates.push_back({scored.score, static_cast<int64_t>(boxes.size())});
    boxes.push_back(box);
  }
  // An image without any proposal gets one that is empty.
  if (boxes.empty()) return {{{0, 0, 0, 0}}, {0}};
  const float threshold = c.Attr<float>("nms_thresh");
  if (threshold > 0) {
    candidates = Suppress(candidates, &boxes[0].x1, 4, 4,
                          {threshold, c.Attr<float>("eta"), /*normalized=*/!pixel_offset});
    const int64_t after = c.Attr<int32_t>("post_nms_topN");
    if (after > 0 && after < static_cast<int64_t>(candidates.size()))
      candidates.resize(static_cast<size_t>(after));
  }
  Proposals proposals;
  for (const ScoredBox& kept : candidates) {
    proposals.boxes.push_back(boxes[static_cast<size_t>(kept.index)]);
    proposals.scores.push_back(kept.score);
  }
  return proposals;
}

void Write(KernelContext& c, const std::vector<Proposals>& images) {
  int64_t count = 0;
  for (const Proposals& p : images) count += static_cast<int64_t>(p.boxes.size());
  Tensor &rois = c.Output("RpnRois"), &probs = c.Output("RpnRoiProbs");
  rois.Allocate({count, 4}, DataType::kFP32);
  probs.Allocate({count, 1}, DataType::kFP32);
  float* box_out = rois.mutable_data<float>();
  float* score_out = probs.mutable_data<float>();
  for (const Proposals& p : images) {
    for (const Box& box : p.boxes) {
      for (const float v : {box.x1, box.y1, box.x2, box.y2}) *box_out++ = v;
    }
    score_out = std::copy(p.scores.begin(), p.scores.end(), score_out);
  }
  if (!c.HasOutput("RpnRoisNum")) return;
  c.Output("RpnRoisNum").Allocate({static_cast<int64_t>(images.size())}, DataType::kInt32);
  int32_t* number = c.Output("RpnRoisNum").mutable_data<int32_t>();
  for (const Proposals& p : images) *number++ = static_cast<int32_t>(p.boxes.size());
}

// `sizes` holds `numbers` of each image: height, width and, of three, scale.
std::vector<Proposals> RunGenerateProposals(KernelContext& c, const float* sizes, int64_t numbers,
                                            bool pixel_offset) {
  const Tensor& scores = c.Input("Scores");
  const DDim& s = scores.dims();
  const float* deltas = c.Input("BboxDeltas").data<float>();
  const int64_t count = s.Count(1, 4);
  std::vector<Proposals> images;
  for (int64_t n = 0; n < s[0]; ++n, sizes += numbers)
    images.push_back(
        Propose(c,
                {scores.data<float>() + n * count, deltas + n * count * 4,
                 c.Input("Anchors").data<float>(), c.Input("Variances").data<float>(), count,
                 s[2] * s[3], s[1], sizes[0], sizes[1], numbers == 3 ? sizes[2] : 1.0f},
                pixel_offset));
  Write(c, images);
  return images;
}

void RunV1(KernelContext& c) {
  const auto images = RunGenerateProposals(c, c.Input("ImInfo").data<float>(), 3, true);
  Offsets offsets{0};
  for (const Proposals& p : images) offsets.push_back(offsets.back() + p.boxes.size());
  for (const char* slot : {"RpnRois", "RpnRoiProbs"}) c.Output(slot).set_lod({offsets});
}

void RunV2(KernelContext& c) {
  RunGenerateProposals(c, c.Input("ImShape").data<float>(), 2, c.Attr<bool>("pixel_offset"));
}

}  // namespace

REGISTER_LITE_OP(generate_proposals_v2)
    .Input("Scores")
    .Input("BboxDeltas")
    .Input("ImShape")
    .Input("Anchors")
    .Input("Variances")
    .Output("RpnRois")
    .Output("RpnRoiProbs")
    .OptionalOutput("RpnRoisNum")
    .RequiredAttr<int32_t>("pre_nms_topN")
    .RequiredAttr<int32_t>("post_nms_topN")
    .RequiredAttr<float>("nms_thresh")
    .RequiredAttr<float>("min_size")
    .RequiredAttr<float>("eta")
    .Attr<bool>("pixel_offset", true)
    .DataDependent()
    .InferShape(InferV2);
REGISTER_LITE_FUNCTION(generate_proposals_v2, kHost, kFloat, kNCHW, RunV2, def);

REGISTER_LITE_OP(generate_proposals)
    .Input("Scores")
    .Input("BboxDeltas")
    .Input("ImInfo")
    .Input("Anchors")
    .Input("Variances")
    .Output("RpnRois")
    .Output("RpnRoiProbs")
    .OptionalOutput("RpnRoisNum")
    .RequiredAttr<int32_t>("pre_nms_topN")
    .RequiredAttr<int32_t>("post_nms_topN")
    .RequiredAttr<float>("nms_thresh")
    .RequiredAttr<float>("min_size")
    .RequiredAttr<float>("eta")
    .DataDependent()
    .InferShape(InferV1);
REGISTER_LITE_FUNCTION(generate_proposals, kHost, kFloat, kNCHW, RunV1, def);

}  // namespace paddle::lite
