#include <algorithm>
#include <map>

#include "lite/core/plan/draft.h"
#include "lite/core/plan/execute.h"

namespace paddle::lite {
namespace {

// The first convolution of an image reads row-major planes itself.
constexpr int64_t kFewChannels = 4;

class Converter {
 public:
  explicit Converter(PlanDraft* draft) : draft_(*draft) {}

  void Run() {
    std::vector<PlanNode> nodes = std::move(draft_.nodes);
    draft_.nodes.clear();
    for (PlanNode& node : nodes) {
      const auto& slots = node.op.info().inputs();
      for (size_t s = 0; s < slots.size(); ++s) {
        // A weight has four dims, but no layout.
        if (slots[s].name == "Filter" || slots[s].name == "Alpha") continue;
        for (ValueId& id : node.op.inputs()[s]) {
          if (ReadsPlanes(node, slots[s].name, id)) continue;
          id = InLayout(id, node.layout);
        }
      }
      for (PlanStep& step : node.steps)
        if (step.operand >= 0) step.operand = InLayout(step.operand, node.layout);
      MarkView(&node);
      draft_.nodes.push_back(std::move(node));
    }
    for (const ValueId id : draft_.live_out)
      draft_.live_out_as.push_back(InLayout(id, DataLayoutType::kNCHW));
  }

 private:
  bool ReadsPlanes(const PlanNode& node, const std::string& slot, ValueId id) const {
    return node.op.type() == "conv2d" && slot == "Input" &&
           draft_.value(id).layout == DataLayoutType::kNCHW &&
           draft_.value(id).meta.dims[1] <= kFewChannels;
  }

  ValueId InLayout(ValueId id, DataLayoutType layout) {
    const PlanValue value = draft_.value(id);
    if (value.layout == layout || value.meta.dims.size() != 4 ||
        value.meta.dtype != DataType::kFP32)
      return id;
    auto& converted = converted_[{id, layout}];
    if (converted == 0) converted = Convert(id, value, layout) + 1;
    return converted - 1;
  }

  ValueId Convert(ValueId id, const PlanValue& value, DataLayoutType layout) {
    PlanValue result;
    result.meta = value.meta;
    result.layout = layout;
    const OpInfo* info = OpRegistry::Global().Find("layout");
    OpLite op(info, {{"Input", {id}}}, {{"Out", {static_cast<ValueId>(draft_.values.size())}}}, {});
    if (value.constant != nullptr) {
      result.folded = std::make_shared<Tensor>(value.meta);
      result.folded->set_persistable(true);
      result.folded->set_layout(layout);
      result.folded->MutableRaw(value.meta.dtype);
      result.constant = result.folded.get();
      RunKernelNow(op, {{value.constant}}, {{result.folded.get()}}, PrecisionType::kFloat, 1);
      return draft_.AddValue(result);
    }
    const bool same_memory = !LayoutMatters(value.meta);
    if (same_memory) result.same_memory_as = id;
    const ValueId converted = draft_.AddValue(result);
    draft_.nodes.push_back({std::move(op), DataLayoutType::kNCHW, {}, same_memory, false});
    return converted;
  }

  // Reshapes of row-major memory and NHWC -> [N, H, W, C] transposes give the same memory a shape.
  void MarkView(PlanNode* node) {
    const OpInfo& info = node->op.info();
    if (!info.is_view() || !node->steps.empty()) return;
    const ValueId in = node->op.Input(info.view_input())[0];
    const ValueId out = node->op.Output(info.view_output())[0];
    if (draft_.value(in).constant != nullptr) return;
    if (draft_.value(in).meta.dtype != draft_.value(out).meta.dtype) return;
    draft_.value(out).same_memory_as = in;
    node->is_view = true;
  }

  PlanDraft& draft_;
  std::map<std::pair<ValueId, DataLayoutType>, ValueId> converted_;
};

}  // namespace

void InsertConversions(PlanDraft* draft) { Converter(draft).Run(); }

}  // namespace paddle::lite
