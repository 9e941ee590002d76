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

}  // namespace

bool LayoutMatters(const TensorMeta& meta) {
  return Is4DFloat(meta) && meta.dims[1] > 1 && meta.dims[2] * meta.dims[3] > 1;
}

const KernelInfo& PickKernel(const PlanDraft& draft, const PlanNode& node) {
  return RequireKernel(node.op, NodePrecision(draft, node.op), node.layout);
}

void AssignLayouts(PlanDraft* draft, bool force_nhwc) {
  for (PlanNode& node : draft->nodes) {
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
    for (const auto& slot : op.outputs())
      for (const ValueId id : slot) draft->value(id).layout = DataLayoutType::kNHWC;
  }
}

}  // namespace paddle::lite
