#include <algorithm>

#include "lite/core/plan/draft.h"

namespace paddle::lite {
namespace {

// Of the 3x3 convolutions in turn: ResNet34 has 32 of them, ResNet18 16.
constexpr int kFirst = 4, kMany = 26;

bool Is3x3(const PlanDraft& draft, const OpLite& op) {
  if (op.type() != "conv2d" || op.Attr<int32_t>("groups") != 1) return false;
  const DDim& filter = draft.value(op.inputs()[op.InputSlot("Filter")][0]).meta.dims;
  return filter.size() == 4 && filter[2] == 3 && filter[3] == 3;
}

// Counts them on the longest way, which goes over the memory that nodes share.
class Ways {
 public:
  explicit Ways(const PlanDraft& draft) : draft_(draft), longest_(draft.values.size()) {}

  int& Of(ValueId id) { return longest_[static_cast<size_t>(draft_.Root(id))]; }
  int Inputs(const PlanNode& node) {
    int most = 0;
    PlanDraft::ForEachInput(node, [&](ValueId id) { most = std::max(most, Of(id)); });
    return most;
  }
  int Outputs(const PlanNode& node) {
    int most = 0;
    for (const auto& slot : node.op.outputs())
      for (const ValueId id : slot) most = std::max(most, Of(id));
    return most;
  }

 private:
  const PlanDraft& draft_;
  std::vector<int> longest_;
};

}  // namespace

std::vector<bool> EarlyNodes(const PlanDraft& draft) {
  std::vector<bool> early(draft.nodes.size());
  Ways before(draft), after(draft);
  for (size_t n = 0; n < draft.nodes.size(); ++n) {
    const PlanNode& node = draft.nodes[n];
    const int count = before.Inputs(node);
    early[n] = count < kFirst;
    const int through = count + (Is3x3(draft, node.op) ? 1 : 0);
    for (const auto& slot : node.op.outputs())
      for (const ValueId id : slot) before.Of(id) = std::max(before.Of(id), through);
  }
  for (size_t n = draft.nodes.size(); n-- > 0;) {
    const PlanNode& node = draft.nodes[n];
    const int count = after.Outputs(node);
    early[n] = early[n] && count >= kMany;
    const int through = count + (Is3x3(draft, node.op) ? 1 : 0);
    PlanDraft::ForEachInput(node,
                            [&](ValueId id) { after.Of(id) = std::max(after.Of(id), through); });
  }
  return early;
}

}  // namespace paddle::lite
