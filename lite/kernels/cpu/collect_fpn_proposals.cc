#include <algorithm>
#include <vector>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
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

}  // namespace paddle::lite
