#include <algorithm>

#include "lite/core/plan/draft.h"
#include "lite/core/plan/views.h"

namespace paddle::lite {
namespace {

// Exporters round around every operator: before a reshape and behind it, say, to the same steps.
class Rounder {
 public:
  explicit Rounder(PlanDraft* draft)
      : draft_(*draft),
        steps_(draft->values.size()),
        instead_(draft->values.size(), -1),
        live_(draft->values.size()) {
    for (const ValueId id : draft_.live_out) live_[static_cast<size_t>(id)] = true;
  }

  void Run() {
    for (PlanNode& node : draft_.nodes) {
      for (auto& slot : node.op.inputs())
        for (ValueId& id : slot)
          if (instead_[static_cast<size_t>(id)] >= 0) id = instead_[static_cast<size_t>(id)];
      if (const auto rounding = RoundingOf(node.op))
        Round(&node, *rounding);
      else
        Hand(node);
    }
    auto& nodes = draft_.nodes;
    nodes.erase(
        std::remove_if(nodes.begin(), nodes.end(), [](const PlanNode& n) { return n.dead; }),
        nodes.end());
  }

 private:
  using Rounding = std::optional<math::Activation>;

  // Of 16 bits at most: a multiple of the scale is surely rounded to itself then.
  static Rounding RoundingOf(const OpLite& op) {
    if (op.info().activation() == nullptr) return {};
    const math::Activation act = op.info().activation()(op);
    const bool few = act.kind == math::Act::kSteps && act.b >= -65535 && act.c <= 65535;
    return few ? Rounding(act) : Rounding();
  }

  static bool AreSame(const math::Activation& a, const math::Activation& b) {
    return a.a == b.a && a.b == b.b && a.c == b.c;
  }

  void Round(PlanNode* node, const math::Activation& rounding) {
    const ValueId x = node->op.Input("X")[0], out = node->op.Output("Out")[0];
    steps_[static_cast<size_t>(out)] = rounding;
    const Rounding& before = steps_[static_cast<size_t>(x)];
    if (!before || !AreSame(*before, rounding) || live_[static_cast<size_t>(out)]) return;
    instead_[static_cast<size_t>(out)] = x;
    node->dead = true;
  }

  // What only moves elements, or chooses among them, gives steps on.
  void Hand(const PlanNode& node) {
    const auto& inputs = node.op.inputs();
    if (inputs.empty() || inputs[0].empty()) return;
    const Rounding handed = steps_[static_cast<size_t>(inputs[0][0])];
    if (!handed) return;
    if (MovedInput(node.op) == nullptr &&
        !Asks(draft_, node.op, DataLayoutType::kNHWC, &KernelTraits::passes_bytes))
      return;
    for (const auto& outputs : node.op.outputs())
      for (const ValueId id : outputs) steps_[static_cast<size_t>(id)] = handed;
  }

  PlanDraft& draft_;
  std::vector<Rounding> steps_;   // of each value that is rounded
  std::vector<ValueId> instead_;  // what stands for a value; -1: itself
  std::vector<bool> live_;
};

}  // namespace

void RoundOnce(PlanDraft* draft) { Rounder(draft).Run(); }

}  // namespace paddle::lite
