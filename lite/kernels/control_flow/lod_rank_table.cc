// `lod_rank_table`: the sequences of a level of X, the longest first (those of one length in their
// order); max_sequence_len: the length of the longest. What they say of X is in its LoD alone.
#include <algorithm>

#include "lite/core/infer_context.h"
#include "lite/kernels/control_flow/rank_table.h"
#include "lite/kernels/cpu/sequence/sequence.h"

namespace paddle::lite {
namespace {

size_t RankedLevel(const TensorMeta& x, int32_t level) {
  CheckLoD(x, "X");
  if (level < 0 || static_cast<size_t>(level) >= x.lod.size())
    throw ShapeError(
        StrCat("attribute level is ", level, ", input X has a LoD of ", x.lod.size(), " levels"));
  return static_cast<size_t>(level);
}

void InferRankTable(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const size_t level = RankedLevel(x, c.Attr<int32_t>("level"));
  c.SetOutput("Out", {SequenceCount(x.lod[level]), 2}, DataType::kInt64,
              {x.lod.begin(), x.lod.begin() + static_cast<std::ptrdiff_t>(level)});
}

void RunRankTable(KernelContext& c) {
  const TensorMeta& x = c.Input("X").meta();
  const Offsets& offsets = x.lod[RankedLevel(x, c.Attr<int32_t>("level"))];
  std::vector<RankTable::Item> items;
  for (size_t i = 0; i + 1 < offsets.size(); ++i)
    items.push_back({static_cast<int64_t>(i), static_cast<int64_t>(offsets[i + 1] - offsets[i])});
  std::stable_sort(items.begin(), items.end(),
                   [](const auto& a, const auto& b) { return a.length > b.length; });
  auto* out = c.Output("Out").mutable_data<int64_t>();
  for (const RankTable::Item& item : items) {
    *out++ = item.index;
    *out++ = item.length;
  }
}

void RunMaxSequenceLen(KernelContext& c) {
  const RankTable table = ReadRankTable(c, "RankTable");
  *c.Output("Out").mutable_data<int64_t>() = table.steps();
}

REGISTER_LITE_OP(lod_rank_table)
    .Input("X")
    .Output("Out")
    .Attr<int32_t>("level", 0)
    .InferShape(InferRankTable);
REGISTER_LITE_FUNCTION(lod_rank_table, kHost, kAny, kNCHW, RunRankTable, def);

REGISTER_LITE_OP(max_sequence_len).Input("RankTable").Output("Out").InferShape([](InferContext& c) {
  c.SetOutput("Out", {1}, DataType::kInt64);
});
REGISTER_LITE_FUNCTION(max_sequence_len, kHost, kAny, kNCHW, RunMaxSequenceLen, def);

}  // namespace
}  // namespace paddle::lite
