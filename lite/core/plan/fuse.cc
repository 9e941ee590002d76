#include <algorithm>
#include <cmath>

#include "lite/core/broadcast_axis.h"
#include "lite/core/plan/draft.h"

namespace paddle::lite {
namespace {

using Step = math::EpilogueStep;

// `operand` with its dims placed against `out`, ones elsewhere; false where it does not broadcast.
bool AlignDims(const DDim& out, const DDim& operand, int axis, DDim* aligned) {
  if (operand.size() > out.size()) return false;
  DDim trimmed = operand;
  const auto start = static_cast<int>(BroadcastPosition(operand.size(), out.size(), axis));
  while (trimmed.size() > 1 && trimmed.size() + start > out.size() && trimmed.back() == 1)
    trimmed.pop_back();
  if (start + trimmed.size() > out.size()) return false;
  *aligned = DDim();
  for (int i = 0; i < out.size(); ++i) {
    const int j = i - start;
    const int64_t dim = j >= 0 && j < trimmed.size() ? trimmed[j] : 1;
    if (dim != 1 && dim != out[i]) return false;
    aligned->push_back(dim);
  }
  return true;
}

// True where dims [first, last) of the operand are all full, false in *full where all are one.
bool IsUniform(const DDim& out, const DDim& aligned, int first, int last, bool* full) {
  bool any_full = false, any_one = false;
  for (int i = first; i < last; ++i) {
    if (out[i] == 1) continue;
    (aligned[i] == 1 ? any_one : any_full) = true;
  }
  *full = any_full;
  return !(any_full && any_one);
}

// `follows`: whether the operand's memory is in the same order.
bool StridesNhwc(const DDim& out, const DDim& aligned, bool follows, Step* step) {
  bool pixels = false;
  if (!IsUniform(out, aligned, 2, 4, &pixels)) return false;
  if (pixels && aligned[1] != 1 && !follows) return false;
  const bool channels = aligned[1] != 1 || out[1] == 1;
  const int64_t width = aligned[1] != 1 ? out[1] : 1;
  step->col_stride = channels && aligned[1] != 1 ? 1 : 0;
  step->row_stride = pixels ? width : 0;
  step->image_stride = aligned[0] != 1 ? aligned.Count(1, 4) : 0;
  return true;
}

bool StridesRowMajor(const DDim& out, const DDim& aligned, Step* step) {
  const int last = out.size() - 1;
  step->image_stride = 0;
  if (last < 0) {
    step->row_stride = step->col_stride = 0;
    return true;
  }
  bool rows = false;
  if (!IsUniform(out, aligned, 0, last, &rows)) return false;
  step->col_stride = aligned[last] != 1 ? 1 : 0;
  step->row_stride = rows ? aligned[last] : 0;
  return true;
}

class Fuser {
 public:
  explicit Fuser(PlanDraft* draft) : draft_(*draft), uses_(draft->values.size()) {
    producer_.assign(draft_.values.size(), -1);
    for (const PlanNode& node : draft_.nodes)
      PlanDraft::ForEachInput(node, [&](ValueId id) { ++uses_[static_cast<size_t>(id)]; });
    for (const ValueId id : draft_.live_out) ++uses_[static_cast<size_t>(id)];
  }

  void Run() {
    auto& nodes = draft_.nodes;
    for (size_t j = 0; j < nodes.size(); ++j) {
      TryFold(static_cast<int>(j));
      for (const auto& slot : nodes[j].op.outputs())
        for (const ValueId id : slot) producer_[static_cast<size_t>(id)] = static_cast<int>(j);
    }
    for (PlanNode& node : nodes) TryFoldBase(&node);
    for (size_t j = 0; j < nodes.size(); ++j)
      if (!nodes[j].dead && RoundsAlone(nodes[j])) MakeHead(static_cast<int>(j));
    nodes.erase(
        std::remove_if(nodes.begin(), nodes.end(), [](const PlanNode& n) { return n.dead; }),
        nodes.end());
  }

 private:
  // The node's elementwise meaning as a step over `main`, the input that has the output's shape.
  bool AsStep(const PlanNode& node, bool x_is_main, ValueId* main, PlanStep* step) const {
    const OpInfo& info = node.op.info();
    const ValueId out = node.op.Output("Out")[0];
    *main = node.op.Input(info.is_binary() && !x_is_main ? "Y" : "X")[0];
    const PlanValue& out_value = draft_.value(out);
    if (out_value.meta.dtype != DataType::kFP32) return false;
    if (draft_.value(*main).meta.dtype != DataType::kFP32) return false;
    if (draft_.value(*main).meta.dims != out_value.meta.dims) return false;
    if (!info.has_operand()) {
      step->step = {};
      step->step.op = Step::kAct;
      step->step.act = info.activation()(node.op);
      return true;
    }
    if (!info.is_binary()) return AsOperandStep(node, *main, step);
    step->operand = node.op.Input(x_is_main ? "Y" : "X")[0];
    const PlanValue& operand = draft_.value(step->operand);
    if (operand.meta.dtype != DataType::kFP32 || step->operand == *main) return false;
    if (!x_is_main && operand.meta.dims.size() > out_value.meta.dims.size()) return false;
    const Step::Op op = info.operand_step().op;
    step->step.op = x_is_main ? op : Swapped(op);
    const int axis = x_is_main ? node.op.Attr<int>("axis") : -1;
    if (!x_is_main && operand.meta.dims.size() != out_value.meta.dims.size() &&
        node.op.Attr<int>("axis") >= 0)
      return false;
    return StepStrides(out_value.meta.dims, node.layout, operand.meta.dims, axis, &step->step);
  }

  bool AsOperandStep(const PlanNode& node, ValueId main, PlanStep* step) const {
    const OpInfo::OperandStep& known = node.op.info().operand_step();
    step->operand = node.op.Input(known.operand)[0];
    step->step.op = known.op;
    const TensorMeta& operand = draft_.value(step->operand).meta;
    if (operand.dtype != DataType::kFP32 || step->operand == main) return false;
    const DDim& out = draft_.value(main).meta.dims;
    const DDim dims = known.dims(node.op, out);
    if (!StepStrides(out, node.layout, dims, -1, &step->step)) return false;
    // Only what has X's four dims follows its layout.
    return node.layout != DataLayoutType::kNHWC || operand.dims == dims ||
           (step->step.row_stride == 0 && !LayoutMatters(operand));
  }

  static Step::Op Swapped(Step::Op op) {
    switch (op) {
      case Step::kSub:
        return Step::kRsub;
      case Step::kDiv:
        return Step::kRdiv;
      default:
        return op;
    }
  }

  // An operator of X alone (a ScaleTensor, say, is no attribute) that is one activation, or of
  // X and an operand.
  static bool IsElementwise(const PlanNode& node) {
    const OpInfo& info = node.op.info();
    if (info.has_operand()) return true;
    if (info.activation() == nullptr) return false;
    if (info.activation()(node.op).kind == math::Act::kNone) return false;
    size_t inputs = 0;
    for (const auto& slot : node.op.inputs()) inputs += slot.size();
    return inputs == 1;
  }

  // Rounding to a scale that nothing before it can do: as a chain it may stay in bytes.
  static bool RoundsAlone(const PlanNode& node) {
    const OpInfo& info = node.op.info();
    return IsElementwise(node) && !info.has_operand() &&
           info.activation()(node.op).kind == math::Act::kSteps;
  }

  // A step by one known number as an activation a * x + b; false for others.
  bool AsAffine(PlanStep* step) const {
    if (step->operand < 0)
      return step->step.op == Step::kAct && step->step.act.kind == math::Act::kAffine;
    const Tensor* constant = draft_.value(step->operand).constant;
    if (constant == nullptr || constant->numel() != 1) return false;
    const float number = *constant->data<float>();
    math::Activation affine{math::Act::kAffine, 1, 0, 0};
    switch (step->step.op) {
      case Step::kMul:
        affine.a = number;
        break;
      case Step::kAdd:
        affine.b = number;
        break;
      case Step::kSub:
        affine.b = -number;
        break;
      default:
        return false;
    }
    *step = PlanStep();
    step->step.act = affine;
    return true;
  }

  // Adds a step behind others; of two that multiply and add known numbers one is made.
  void Append(std::vector<PlanStep>* steps, PlanStep step) const {
    if (AsAffine(&step) && !steps->empty() && steps->back().operand < 0 &&
        steps->back().step.op == Step::kAct && steps->back().step.act.kind == math::Act::kAffine) {
      math::Activation& before = steps->back().step.act;
      const math::Activation& then = step.step.act;
      const float a = before.a * then.a, b = before.b * then.a + then.b;
      if (std::isfinite(a) && std::isfinite(b)) {
        before.a = a;
        before.b = b;
        return;
      }
    }
    steps->push_back(step);
  }

  // What a binary operator with an activation (`fusion_elementwise_*_activation`) does last.
  static void PushActivation(const OpLite& op, std::vector<PlanStep>* steps) {
    if (!op.info().is_binary() || op.info().activation() == nullptr) return;
    PlanStep last;
    last.step.op = Step::kAct;
    last.step.act = op.info().activation()(op);
    if (last.step.act.kind != math::Act::kNone) steps->push_back(last);
  }

  // The producer of `main`, where it can take one more step.
  int FusableProducer(ValueId main, DataLayoutType layout) const {
    const int i = producer_[static_cast<size_t>(main)];
    if (i < 0 || uses_[static_cast<size_t>(main)] != 1) return -1;
    const PlanNode& node = draft_.nodes[static_cast<size_t>(i)];
    if (node.layout != layout) return -1;
    if (IsElementwise(node)) return i;
    const KernelInfo* kernel =
        KernelRegistry::Global().Find(node.op.type(), NodePrecision(draft_, node.op), node.layout);
    return kernel != nullptr && kernel->traits.fuses ? i : -1;
  }

  void TryFold(int j) {
    PlanNode& node = draft_.nodes[static_cast<size_t>(j)];
    if (!IsElementwise(node)) return;
    int best = -1;
    PlanStep best_step;
    ValueId best_main = -1;
    for (const bool x_is_main : {true, false}) {
      if (!x_is_main && !node.op.info().is_binary()) break;
      PlanStep step;
      ValueId main = -1;
      if (!AsStep(node, x_is_main, &main, &step)) continue;
      const int producer = FusableProducer(main, node.layout);
      // Of two producers the later one waits: its other operand is ready by then.
      if (producer > best && MakeHead(producer)) {
        best = producer;
        best_step = step;
        best_main = main;
      }
    }
    if (best >= 0) Merge(best, j, best_main, best_step);
  }

  // An elementwise producer becomes an `elementwise_chain` that can take steps.
  bool MakeHead(int i) {
    PlanNode& node = draft_.nodes[static_cast<size_t>(i)];
    if (!IsElementwise(node)) return true;
    const OpInfo* chain = OpRegistry::Global().Find("elementwise_chain");
    if (chain == nullptr) return false;
    for (const bool x_is_main : {true, false}) {
      if (!x_is_main && !node.op.info().is_binary()) break;
      PlanStep step;
      ValueId main = -1;
      if (!AsStep(node, x_is_main, &main, &step)) continue;
      OpLite op(chain, {{"X", {main}}}, {{"Out", node.op.Output("Out")}}, {});
      op.SetWhere(node.op.where());
      const OpLite before = std::move(node.op);
      node.op = std::move(op);
      Append(&node.steps, step);
      PushActivation(before, &node.steps);
      return true;
    }
    return false;
  }

  // base -> steps, + resized: where the sum is all that the steps are for, one walk does both.
  void TryFoldBase(PlanNode* node) {
    const int slot = node->op.info().FindInput("@Base");
    if (slot < 0 || node->dead || node->layout != DataLayoutType::kNHWC) return;
    if (node->steps.empty() || node->steps[0].step.op != Step::kAdd) return;
    const ValueId sum = node->steps[0].operand;
    const int i = producer_[static_cast<size_t>(sum)];
    if (i < 0 || uses_[static_cast<size_t>(sum)] != 1) return;
    PlanNode& chain = draft_.nodes[static_cast<size_t>(i)];
    if (chain.dead || chain.op.type() != "elementwise_chain" || chain.layout != node->layout)
      return;
    if (draft_.value(sum).meta.dims != draft_.value(node->op.Output("Out")[0]).meta.dims) return;
    node->op.inputs()[static_cast<size_t>(slot)] = chain.op.Input("X");
    node->steps[0].operand = -1;  // the node's own result
    node->steps.insert(node->steps.begin(), chain.steps.begin(), chain.steps.end());
    chain.dead = true;
  }

  // Node i takes node j's place, its output and its work.
  void Merge(int i, int j, ValueId main, const PlanStep& step) {
    PlanNode merged = draft_.nodes[static_cast<size_t>(i)];
    PlanNode& node = draft_.nodes[static_cast<size_t>(j)];
    Append(&merged.steps, step);
    PushActivation(node.op, &merged.steps);
    const ValueId out = node.op.Output("Out")[0];
    for (auto& slot : merged.op.outputs()) std::replace(slot.begin(), slot.end(), main, out);
    draft_.nodes[static_cast<size_t>(i)].dead = true;
    node = std::move(merged);
  }

  PlanDraft& draft_;
  std::vector<int> uses_, producer_;
};

}  // namespace

bool StepStrides(const DDim& out, DataLayoutType layout, const DDim& operand, int axis,
                 math::EpilogueStep* step) {
  DDim aligned;
  if (!AlignDims(out, operand, axis, &aligned)) return false;
  if (layout == DataLayoutType::kNHWC && out.size() == 4)
    return StridesNhwc(out, aligned, operand.size() == 4, step);
  return StridesRowMajor(out, aligned, step);
}

void FuseEpilogues(PlanDraft* draft) { Fuser(draft).Run(); }

}  // namespace paddle::lite
