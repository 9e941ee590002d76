#include <algorithm>
#include <cmath>
#include <vector>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/detection/box_decoding.h"
#include "lite/kernels/cpu/detection/nms.h"
#include "lite/kernels/cpu/detection/regions.h"
#include "lite/kernels/cpu/sequence/sequence.h"

namespace paddle::lite {
namespace {

// generate_proposals_v2, and generate_proposals, whose images say how they were scaled.
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
    const float deltas[4] = {Delta(i, 0), Delta(i, 1), Delta(i, 2), Delta(i, 3)};
    float box[4];
    DecodeBox(deltas, Center<float>(anchors + 4 * i, pixel), pixel, variances + 4 * i, box, limit);
    const auto clip = [](float v, float high) { return std::max(std::min(v, high), 0.0f); };
    return {clip(box[0], width - pixel), clip(box[1], height - pixel), clip(box[2], width - pixel),
            clip(box[3], height - pixel)};
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

namespace {

void InferCollectFpnProposals(InferContext& c) {
  const size_t levels = c.InputCount("MultiLevelRois"), counts = c.InputCount("MultiLevelRoIsNum");
  c.Require(levels > 0 && c.InputCount("MultiLevelScores") == levels, "input MultiLevelRois has ",
            levels, " tensors and MultiLevelScores ", c.InputCount("MultiLevelScores"),
            ", expected one of each for every level");
  c.Require(counts == 0 || counts == levels, "input MultiLevelRoIsNum has ", counts,
            " tensors, expected ", levels);
  c.Require(c.Attr<int32_t>("post_nms_topN") >= 0, "attribute post_nms_topN is ",
            c.Attr<int32_t>("post_nms_topN"), ", expected at least 0");
  for (size_t i = 0; i < levels; ++i) {
    const TensorMeta &rois = c.Input("MultiLevelRois", i), &scores = c.Input("MultiLevelScores", i);
    c.Require(rois.dims.size() == 2 && rois.dims[1] == 4, "input MultiLevelRois[", i,
              "] has shape ", rois.dims, ", expected [regions, 4]");
    c.Require(scores.dims.production() == rois.dims[0], "input MultiLevelScores[", i,
              "] has shape ", scores.dims, ", expected a score for each of ", rois.dims[0],
              " regions");
    if (rois.dtype != DataType::kFP32 || scores.dtype != DataType::kFP32)
      throw DataTypeError(StrCat("inputs MultiLevelRois and MultiLevelScores [", i, "] are ",
                                 Name(rois.dtype), " and ", Name(scores.dtype),
                                 ", expected float32"));
  }
}

// The number of a level's regions in each image.
std::vector<int64_t> Counts(const KernelContext& c, size_t level) {
  const Tensor& rois = c.Input("MultiLevelRois", level);
  std::vector<int64_t> counts;
  if (c.HasInput("MultiLevelRoIsNum")) {
    counts = ReadInts(c.Input("MultiLevelRoIsNum", level), "MultiLevelRoIsNum");
  } else {
    const Offsets& offsets = FinestOffsets(rois.meta(), "MultiLevelRois");
    for (size_t i = 0; i + 1 < offsets.size(); ++i)
      counts.push_back(static_cast<int64_t>(offsets[i + 1] - offsets[i]));
  }
  int64_t left = rois.dims()[0];
  for (const int64_t count : counts) {
    if (count < 0 || count > left) left = -1;
    if (left >= 0) left -= count;
  }
  if (left != 0)
    throw ShapeError(StrCat("the counts in input MultiLevelRoIsNum[", level, "] do not add up to ",
                            rois.dims()[0], " regions"));
  return counts;
}

struct Region {
  const float* corners;
  float score;
  size_t image;
};

void RunCollectFpnProposals(KernelContext& c) {
  std::vector<Region> regions;
  size_t images = 0;
  for (size_t level = 0; level < c.InputCount("MultiLevelRois"); ++level) {
    const float* corners = c.Input("MultiLevelRois", level).data<float>();
    const float* score = c.Input("MultiLevelScores", level).data<float>();
    const std::vector<int64_t> counts = Counts(c, level);
    if (level > 0 && counts.size() != images)
      throw ShapeError(StrCat("input MultiLevelRois[", level, "] is divided into ", counts.size(),
                              " images, expected ", images));
    images = counts.size();
    for (size_t image = 0; image < images; ++image)
      for (int64_t i = 0; i < counts[image]; ++i, corners += 4)
        regions.push_back({corners, *score++, image});
  }
  // As in Paddle the last of equal scores comes first. NaN counts as the lowest score, so that the
  // order is one.
  std::reverse(regions.begin(), regions.end());
  std::stable_sort(regions.begin(), regions.end(), [](const Region& a, const Region& b) {
    return a.score > b.score || (a.score == a.score && b.score != b.score);
  });
  const auto most = static_cast<size_t>(c.Attr<int32_t>("post_nms_topN"));
  if (regions.size() > most) regions.resize(most);
  std::stable_sort(regions.begin(), regions.end(),
                   [](const Region& a, const Region& b) { return a.image < b.image; });
  Tensor& out = c.Output("FpnRois");
  out.Allocate({static_cast<int64_t>(regions.size()), 4}, DataType::kFP32);
  float* to = out.mutable_data<float>();
  Offsets offsets(images + 1, 0);
  for (const Region& region : regions) {
    to = std::copy(region.corners, region.corners + 4, to);
    ++offsets[region.image + 1];
  }
  for (size_t i = 0; i < images; ++i) offsets[i + 1] += offsets[i];
  if (Tensor* number = c.OutputOrNull("RoisNum")) {
    number->Allocate({static_cast<int64_t>(images)}, DataType::kInt32);
    auto* numbers = number->mutable_data<int32_t>();
    for (size_t i = 0; i < images; ++i)
      numbers[i] = static_cast<int32_t>(offsets[i + 1] - offsets[i]);
  }
  out.set_lod({offsets});
}

}  // namespace

REGISTER_LITE_OP(collect_fpn_proposals)
    .Inputs("MultiLevelRois")
    .Inputs("MultiLevelScores")
    .OptionalInputs("MultiLevelRoIsNum")
    .Output("FpnRois")
    .OptionalOutput("RoisNum")
    .RequiredAttr<int32_t>("post_nms_topN")
    .DataDependent()
    .InferShape(InferCollectFpnProposals);
REGISTER_LITE_FUNCTION(collect_fpn_proposals, kHost, kFloat, kNCHW, RunCollectFpnProposals, def);

namespace {

void InferDistributeFpnProposals(InferContext& c) {
  const int64_t low = c.Attr<int32_t>("min_level"), high = c.Attr<int32_t>("max_level");
  const auto levels = static_cast<int64_t>(c.OutputCount("MultiFpnRois"));
  c.Require(low <= high && high - low + 1 == levels, "attributes min_level and max_level are ", low,
            " and ", high, ", expected ", levels, " levels as output MultiFpnRois has");
  c.Require(c.Attr<int32_t>("refer_scale") > 0, "attribute refer_scale is ",
            c.Attr<int32_t>("refer_scale"), ", expected a positive number");
  const auto counts = static_cast<int64_t>(c.OutputCount("MultiLevelRoIsNum"));
  c.Require(counts == 0 || counts == levels, "output MultiLevelRoIsNum has ", counts,
            " tensors, expected ", levels);
  InferRegions(c, "FpnRois", -1);
}

// The level, from 0, whose boxes are about as large as this one.
int64_t FindLevel(const KernelContext& c, const float* roi) {
  const float pixel = c.Attr<bool>("pixel_offset") ? 1.0f : 0.0f;
  const bool empty = roi[2] < roi[0] || roi[3] < roi[1];
  const float area = empty ? 0.0f : (roi[2] - roi[0] + pixel) * (roi[3] - roi[1] + pixel);
  const auto low = static_cast<float>(c.Attr<int32_t>("min_level"));
  const auto high = static_cast<float>(c.Attr<int32_t>("max_level"));
  const auto scale = static_cast<float>(c.Attr<int32_t>("refer_scale"));
  const float level = std::floor(std::log2(std::sqrt(area) / scale + 1e-6f) +
                                 static_cast<float>(c.Attr<int32_t>("refer_level")));
  if (!(level > low)) return 0;  // NaN too
  return static_cast<int64_t>(std::min(level, high) - low);
}

void RunDistributeFpnProposals(KernelContext& c) {
  const Tensor& rois = c.Input("FpnRois");
  const float* data = rois.data<float>();
  const size_t levels = c.OutputCount("MultiFpnRois");
  std::vector<std::vector<int64_t>> members(levels);
  std::vector<Offsets> offsets(levels, Offsets{0});
  int64_t roi = 0;
  for (const int64_t count : RegionCounts(c, "FpnRois", -1)) {
    for (const int64_t end = roi + count; roi < end; ++roi)
      members[static_cast<size_t>(FindLevel(c, data + 4 * roi))].push_back(roi);
    for (size_t level = 0; level < levels; ++level) offsets[level].push_back(members[level].size());
  }
  Tensor& restore = c.Output("RestoreIndex");
  restore.Allocate({rois.dims()[0], 1}, DataType::kInt32);
  int32_t* place = restore.mutable_data<int32_t>();
  int32_t next = 0;
  for (size_t level = 0; level < levels; ++level) {
    Tensor& out = c.Output("MultiFpnRois", level);
    out.Allocate({static_cast<int64_t>(members[level].size()), 4}, DataType::kFP32);
    out.set_lod({offsets[level]});
    float* to = out.mutable_data<float>();
    for (const int64_t member : members[level]) {
      to = std::copy(data + 4 * member, data + 4 * member + 4, to);
      place[member] = next++;
    }
    Tensor* number = c.OutputOrNull("MultiLevelRoIsNum", level);
    if (number == nullptr) continue;
    number->Allocate({SequenceCount(offsets[level])}, DataType::kInt32);
    int32_t* counts = number->mutable_data<int32_t>();
    for (size_t i = 0; i + 1 < offsets[level].size(); ++i)
      counts[i] = static_cast<int32_t>(offsets[level][i + 1] - offsets[level][i]);
  }
}

}  // namespace

REGISTER_LITE_OP(distribute_fpn_proposals)
    .Input("FpnRois")
    .OptionalInput("RoisNum")
    .Outputs("MultiFpnRois")
    .Output("RestoreIndex")
    .OptionalOutputs("MultiLevelRoIsNum")
    .RequiredAttr<int32_t>("min_level")
    .RequiredAttr<int32_t>("max_level")
    .RequiredAttr<int32_t>("refer_level")
    .RequiredAttr<int32_t>("refer_scale")
    .Attr<bool>("pixel_offset", true)
    .DataDependent()
    .InferShape(InferDistributeFpnProposals);
REGISTER_LITE_FUNCTION(distribute_fpn_proposals, kHost, kFloat, kNCHW, RunDistributeFpnProposals,
                       def);

}  // namespace paddle::lite
