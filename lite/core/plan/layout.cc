#include "lite/core/plan/draft.h"
#include "lite/core/plan/execute.h"

namespace paddle::lite {
namespace {

bool Is4DFloat(const TensorMeta& meta) {
  return meta.dims.size() == 4 && meta.dtype == DataType::kFP32;
}

ValueId FirstOutput(const OpLite& op) {
  for (const auto& slot : op.outputs())
    if (!slot.empty()) return slot[0];
  return -1;
}

bool AllOutputs4D(const PlanDraft& draft, const OpLite& op) {
  for (const auto& slot : op.outputs())
    for (const ValueId id : slot)
      if (!Is4DFloat(draft.value(id).meta)) return false;
  return true;
}

// An NHWC kernel takes broadcast operands of any rank, but its main input must be 4-D.
bool MainInputIs4D(const PlanDraft& draft, const OpLite& op) {
  if (op.inputs().empty() || op.inputs()[0].empty()) return false;
  for (const ValueId id : op.inputs()[0])
    if (!Is4DFloat(draft.value(id).meta)) return op.info().is_binary();
  return true;
}

// Nodes that grow a tensor which is read as planes afterwards, such as the resizing at the end of a
// segmentation network, and what lies between: planes cost less to make of what they are given.
class PlanesLater {
 public:
  // `follows`: the nodes in NHWC that only follow what they are given.
  PlanesLater(PlanDraft* draft, std::vector<bool> follows)
      : draft_(*draft), may_(std::move(follows)) {}

  void Run() {
    bool changed = true;
    while (changed) {
      changed = false;
      FindReaders();
      for (size_t n = may_.size(); n-- > 0;)
        if (may_[n] && !Pays(draft_.nodes[n])) {
          may_[n] = false;
          changed = true;
        }
    }
    for (size_t n = 0; n < may_.size(); ++n) {
      if (!may_[n]) continue;
      draft_.nodes[n].layout = DataLayoutType::kNCHW;
      for (const auto& slot : draft_.nodes[n].op.outputs())
        for (const ValueId id : slot) draft_.value(id).layout = DataLayoutType::kNCHW;
    }
  }

 private:
  // Which values a node reads whose layout stays NHWC, and which nodes make as planes.
  void FindReaders() {
    kept_.assign(draft_.values.size(), false);
    made_.assign(draft_.values.size(), false);
    for (size_t n = 0; n < may_.size(); ++n) {
      const PlanNode& node = draft_.nodes[n];
      if (may_[n])
        for (const auto& slot : node.op.outputs())
          for (const ValueId id : slot) made_[static_cast<size_t>(id)] = true;
      else if (node.layout == DataLayoutType::kNHWC)
        PlanDraft::ForEachInput(node, [&](ValueId id) { kept_[static_cast<size_t>(id)] = true; });
    }
  }

  bool Pays(const PlanNode& node) const {
    int64_t given = 0, result = 0;
    PlanDraft::ForEachInput(node, [&](ValueId id) {
      const PlanValue& value = draft_.value(id);
      if (value.layout == DataLayoutType::kNHWC && !made_[static_cast<size_t>(id)] &&
          LayoutMatters(value.meta))
        given += value.meta.dims.production();
    });
    for (const auto& slot : node.op.outputs())
      for (const ValueId id : slot) {
        if (kept_[static_cast<size_t>(id)]) return false;
        if (LayoutMatters(draft_.value(id).meta)) result += draft_.value(id).meta.dims.production();
      }
    return given < result;
  }

  PlanDraft& draft_;
  std::vector<bool> may_, kept_, made_;
};

}  // namespace

bool LayoutMatters(const TensorMeta& meta) {
  return Is4DFloat(meta) && meta.dims[1] > 1 && meta.dims[2] * meta.dims[3] > 1;
}

const KernelInfo& PickKernel(const PlanDraft& draft, const PlanNode& node) {
  return RequireKernel(node.op, NodePrecision(draft, node.op), node.layout);
}

void AssignLayouts(PlanDraft* draft, bool force_nhwc) {
  std::vector<bool> follows(draft->nodes.size());
  for (size_t n = 0; n < draft->nodes.size(); ++n) {
    PlanNode& node = draft->nodes[n];
    const OpLite& op = node.op;
    const ValueId output = FirstOutput(op);
    if (output < 0 || !AllOutputs4D(*draft, op) || !MainInputIs4D(*draft, op)) continue;
    const KernelInfo* kernel =
        KernelRegistry::Global().Find(op.type(), PrecisionType::kFloat, DataLayoutType::kNHWC);
    if (kernel == nullptr) continue;
    // Convolutions are worth a conversion; the others follow what they are given.
    bool nhwc = force_nhwc || kernel->traits.prefers_layout;
    for (const auto& slot : op.inputs())
      for (const ValueId id : slot)
        nhwc = nhwc || (draft->value(id).layout == DataLayoutType::kNHWC &&
                        LayoutMatters(draft->value(id).meta));
    if (!nhwc) continue;
    node.layout = DataLayoutType::kNHWC;
    follows[n] = !kernel->traits.prefers_layout;
    for (const auto& slot : op.outputs())
      for (const ValueId id : slot) draft->value(id).layout = DataLayoutType::kNHWC;
  }
  if (!force_nhwc) PlanesLater(draft, std::move(follows)).Run();
}

}  // namespace paddle::lite
