#include <algorithm>
#include <cmath>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/regions.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
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
