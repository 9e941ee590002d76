#include <algorithm>

#include "lite/core/plan/draft.h"

namespace paddle::lite {
namespace {

using AxisOrder = std::vector<int32_t>;

class Shuffles {
 public:
  explicit Shuffles(PlanDraft* draft) : draft_(*draft), uses_(draft->values.size()) {
    producer_.assign(draft_.values.size(), -1);
    for (size_t n = 0; n < draft_.nodes.size(); ++n) {
      const PlanNode& node = draft_.nodes[n];
      PlanDraft::ForEachInput(node, [&](ValueId id) { ++uses_[static_cast<size_t>(id)]; });
      for (const auto& slot : node.op.outputs())
        for (const ValueId id : slot) producer_[static_cast<size_t>(id)] = static_cast<int>(n);
    }
    for (const ValueId id : draft_.live_out) ++uses_[static_cast<size_t>(id)];
    for (const ValueId id : draft_.live_out_as) ++uses_[static_cast<size_t>(id)];
  }

  void Find() {
    for (PlanNode& node : draft_.nodes) TryFind(&node);
    RemoveDead();
  }

  void Join() {
    for (PlanNode& node : draft_.nodes) TryJoin(&node);
    RemoveDead();
  }

 private:
  // The node that computes `id` for one reader alone; null where others need a result of it.
  PlanNode* OnlyFor(ValueId id) {
    const int n = producer_[static_cast<size_t>(id)];
    if (n < 0 || uses_[static_cast<size_t>(id)] != 1) return nullptr;
    PlanNode* node = &draft_.nodes[static_cast<size_t>(n)];
    for (const auto& slot : node->op.outputs())
      for (const ValueId other : slot)
        if (other != id && uses_[static_cast<size_t>(other)] != 0) return nullptr;
    return node;
  }

  static bool IsReshape(const OpLite& op) {
    return op.type() == "reshape2" || op.type() == "reshape";
  }

  // reshape to [n, groups, size, pixels...], exchange of groups and size, reshape back.
  void TryFind(PlanNode* last) {
    if (!IsReshape(last->op)) return;
    const ValueId turned = last->op.Input("X")[0], out = last->op.Output("Out")[0];
    PlanNode* transpose = OnlyFor(turned);
    if (transpose == nullptr) return;
    if (transpose->op.type() != "transpose2" && transpose->op.type() != "transpose") return;
    const ValueId split = transpose->op.Input("X")[0];
    PlanNode* first = OnlyFor(split);
    if (first == nullptr || !IsReshape(first->op)) return;
    const ValueId x = first->op.Input("X")[0];
    const DDim &dims = draft_.value(x).meta.dims, &parts = draft_.value(split).meta.dims;
    if (dims.size() != 4 || draft_.value(x).meta.dtype != DataType::kFP32) return;
    if (!(draft_.value(out).meta == draft_.value(x).meta)) return;
    const auto& order = transpose->op.Attr<AxisOrder>("axis");
    const bool whole = parts.size() == 5 && order == AxisOrder{0, 2, 1, 3, 4};
    const bool flat = parts.size() == 4 && order == AxisOrder{0, 2, 1, 3};
    if (!whole && !flat) return;
    if (parts[0] != dims[0] || parts[1] * parts[2] != dims[1] || parts[1] == 0) return;
    for (const auto& slot : last->op.outputs())
      for (const ValueId id : slot)
        if (id != out && uses_[static_cast<size_t>(id)] != 0) return;
    OpLite op(OpRegistry::Global().Find("shuffle_channel"), {{"X", {x}}}, {{"Out", {out}}},
              {{"group", static_cast<int32_t>(parts[1])}});
    op.SetWhere(last->op.where());
    last->op = std::move(op);
    transpose->dead = first->dead = true;
  }

  void TryJoin(PlanNode* node) {
    if (node->op.type() != "shuffle_channel" || node->layout != DataLayoutType::kNHWC) return;
    const ValueId joined = node->op.Input("X")[0];
    PlanNode* concat = OnlyFor(joined);
    if (concat == nullptr || concat->op.type() != "concat") return;
    if (concat->layout != DataLayoutType::kNHWC) return;
    const std::vector<ValueId>& parts = concat->op.Input("X");
    const auto groups = static_cast<int64_t>(node->op.Attr<int32_t>("group"));
    const DDim& whole = draft_.value(joined).meta.dims;
    if (static_cast<int64_t>(parts.size()) != groups) return;
    for (const ValueId id : parts) {
      // Parts of the channels, all of one size: so the axis was the channels' as well.
      DDim dims = draft_.value(id).meta.dims;
      dims[1] *= groups;
      if (!(dims == whole)) return;
    }
    OpLite op(OpRegistry::Global().Find("interleave_channels"), {{"X", parts}},
              {{"Out", node->op.Output("Out")}}, {});
    op.SetWhere(node->op.where());
    node->op = std::move(op);
    concat->dead = true;
  }

  void RemoveDead() {
    auto& nodes = draft_.nodes;
    nodes.erase(
        std::remove_if(nodes.begin(), nodes.end(), [](const PlanNode& n) { return n.dead; }),
        nodes.end());
  }

  PlanDraft& draft_;
  std::vector<int> uses_, producer_;
};

}  // namespace

void FindShuffles(PlanDraft* draft) { Shuffles(draft).Find(); }

void JoinShuffles(PlanDraft* draft) { Shuffles(draft).Join(); }

}  // namespace paddle::lite
