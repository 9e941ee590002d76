#include <algorithm>

#include "lite/core/plan/draft.h"

namespace paddle::lite {
namespace {

using Step = math::EpilogueStep;

// Whether the operator multiplies in integers, and so rounds what it reads.
bool Rounds(const OpLite& op) {
  return op.info().FindAttr("int8_scale") >= 0 && op.Attr<float>("int8_scale") != 0;
}

// Who reads a value rounds it as all others do, or takes what its producer rounded.
class ByteKeeper {
 public:
  explicit ByteKeeper(PlanDraft* draft)
      : draft_(*draft),
        readers_(draft->values.size()),
        producer_(draft->values.size()),
        whole_(draft->values.size(), true) {
    for (PlanNode& node : draft_.nodes) {
      for (const auto& slot : node.op.outputs())
        for (const ValueId id : slot) At(producer_, id) = &node;
      for (size_t s = 0; s < node.op.inputs().size(); ++s)
        for (size_t i = 0; i < node.op.inputs()[s].size(); ++i)
          At(readers_, node.op.inputs()[s][i]).push_back({&node, static_cast<int>(s), i, nullptr});
      for (PlanStep& step : node.steps)
        if (step.operand >= 0) At(readers_, step.operand).push_back({&node, -1, 0, &step});
    }
    for (const ValueId id : draft_.live_out_as) whole_[static_cast<size_t>(id)] = false;
    for (size_t v = 0; v < draft_.values.size(); ++v) {
      const PlanValue& value = draft_.values[v];
      if (value.same_memory_as < 0 || (producer_[v] != nullptr && IsReshape(*producer_[v])))
        continue;
      whole_[v] = whole_[static_cast<size_t>(value.same_memory_as)] = false;
    }
  }

  void Run() {
    std::vector<PlanNode>& nodes = draft_.nodes;
    // What is joined becomes bytes for those who read it, whatever its parts are.
    std::for_each(nodes.rbegin(), nodes.rend(), [&](PlanNode& node) {
      if (IsJoin(node) && Can(node, &KernelTraits::keeps_bytes)) Keep(&node);
    });
    for (PlanNode& node : nodes)
      if (!node.dead && !IsJoin(node) && CanKeep(node) &&
          (!IsChain(node) || !node.input_bytes.empty()))
        Keep(&node);
    nodes.erase(
        std::remove_if(nodes.begin(), nodes.end(), [](const PlanNode& n) { return n.dead; }),
        nodes.end());
  }

 private:
  struct Reader {
    PlanNode* node;
    int slot;        // -1: a step's operand
    size_t index;    // in the slot
    PlanStep* step;  // that step
  };

  template <typename T>
  static T& At(std::vector<T>& all, ValueId id) {
    return all[static_cast<size_t>(id)];
  }

  // Whether a view gives all of its input other dims, and nothing else.
  bool IsReshape(const PlanNode& node) const {
    if (!node.is_view) return false;
    const ValueId from = node.op.inputs()[0][0];
    const PlanValue& to = draft_.value(node.op.outputs()[0][0]);
    return to.same_memory_as == from && to.offset == 0 && to.pixel_stride == 0 &&
           to.meta.dims.production() == draft_.value(from).meta.dims.production();
  }

  static bool IsChain(const PlanNode& node) { return node.op.type() == "elementwise_chain"; }
  static bool IsJoin(const PlanNode& node) { return node.op.type() == "concat"; }

  // Whether an element of the result depends on one of the input alone. Bytes are mapped to it by a
  // table then.
  bool IsFunctionOfInput(const PlanNode& chain) const {
    const ValueId x = chain.op.inputs()[0][0];
    return std::all_of(chain.steps.begin(), chain.steps.end(), [&](const PlanStep& step) {
      return IsPlain(step, x) || !step.of_input.empty() || FunctionOf(x, step.operand) != nullptr;
    });
  }

  // Whether a step knows nothing but its input, `x` and numbers.
  bool IsPlain(const PlanStep& step, ValueId x) const {
    if (step.operand < 0) return step.step.op == Step::kAct;
    const Tensor* constant = draft_.value(step.operand).constant;
    return step.operand == x || (constant != nullptr && constant->numel() == 1);
  }

  // The chain of plain steps that makes `id` of `x` for no other nodes than chains over `x`; null
  // for others.
  PlanNode* FunctionOf(ValueId x, ValueId id) const {
    if (id < 0) return nullptr;
    const auto is_chain_of_x = [&](const PlanNode& node) {
      return IsChain(node) && node.op.inputs()[0][0] == x;
    };
    PlanNode* const node = producer_[static_cast<size_t>(id)];
    if (node == nullptr || !whole_[static_cast<size_t>(id)]) return nullptr;
    const auto is_plain = [&](const PlanStep& step) { return IsPlain(step, x); };
    if (!is_chain_of_x(*node) || !std::all_of(node->steps.begin(), node->steps.end(), is_plain))
      return nullptr;
    const std::vector<Reader>& readers = readers_[static_cast<size_t>(id)];
    const bool only = std::all_of(readers.begin(), readers.end(), [&](const Reader& reader) {
      return reader.step != nullptr && is_chain_of_x(*reader.node);
    });
    return only ? node : nullptr;
  }

  // Functions of the input among a chain's operands become part of it.
  void Inline(PlanNode* chain) const {
    const ValueId x = chain->op.inputs()[0][0];
    for (PlanStep& step : chain->steps) {
      if (step.operand < 0 || step.operand == x) continue;
      PlanNode* const function = FunctionOf(x, step.operand);
      if (function == nullptr) continue;
      step.of_input = function->steps;
      step.operand = -1;
      function->dead = true;
    }
  }

  bool CanKeep(const PlanNode& node) const {
    return (!IsChain(node) || IsFunctionOfInput(node)) && (!IsJoin(node) || node.output_bytes) &&
           Can(node, &KernelTraits::keeps_bytes);
  }
  // Whether bytes are handed on as they are: to what, or -1.
  ValueId PassedTo(const PlanNode& node) const {
    const bool passes = IsReshape(node) || Can(node, &KernelTraits::passes_bytes);
    return passes ? node.op.outputs()[0][0] : -1;
  }
  bool Can(const PlanNode& node,
           bool (*KernelTraits::*can)(const OpLite&, const MetaOfSlot&)) const {
    return !node.is_view && Asks(draft_, node.op, node.layout, can);
  }

  // Whether all who read the value can read bytes of `form`, which the first who rounds it sets.
  // `rounded`: its producer did.
  bool CanRead(ValueId id, DataLayoutType layout, bool rounded,
               std::optional<Int8Form>* form) const {
    const auto v = static_cast<size_t>(id);
    if (!whole_[v] || draft_.value(id).layout != layout || readers_[v].empty()) return false;
    return std::all_of(readers_[v].begin(), readers_[v].end(), [&](const Reader& reader) {
      const PlanNode& node = *reader.node;
      if (reader.slot > 0 || (!node.is_view && node.layout != layout)) return false;
      if (const ValueId next = PassedTo(node); next >= 0)
        return CanRead(next, node.is_view ? draft_.value(next).layout : layout, rounded, form);
      if (!CanKeep(node)) return false;
      std::optional<Int8Form> wanted;
      if (reader.slot == 0 && Rounds(node.op))
        wanted = Int8FormOf(node.op);
      else if (reader.slot == 0 && !rounded && IsChain(node))
        wanted = Int8FormOf(node.steps.front().step);
      if (!wanted) return rounded;
      if (!*form) *form = wanted;
      return **form == *wanted;
    });
  }

  void SetForm(ValueId id, const Int8Form& form) {
    draft_.value(id).meta.dtype = DataType::kUInt8;
    for (const Reader& reader : At(readers_, id)) {
      if (reader.step != nullptr) {
        reader.step->bytes = form;
        continue;
      }
      reader.node->input_bytes.resize(reader.node->op.inputs()[0].size());
      reader.node->input_bytes[reader.index] = form;
      const ValueId next = PassedTo(*reader.node);
      if (next < 0) continue;
      reader.node->output_bytes = form;
      SetForm(next, form);
    }
    for (const Reader& reader : At(readers_, id))
      if (IsChain(*reader.node)) Inline(reader.node);
  }

  void Keep(PlanNode* node) {
    const ValueId id = node->op.outputs()[0][0];
    std::optional<Int8Form> form;
    if (!node->steps.empty()) form = Int8FormOf(node->steps.back().step);
    const bool rounded = form.has_value();
    if (!CanRead(id, node->layout, rounded, &form)) return;
    const std::optional<Int8Form> joined = FormOfJoins(id);
    if (joined) form = joined;
    SetForm(id, *form);
    if (rounded && !joined) node->steps.pop_back();
    node->output_bytes = form;
    if (!IsChain(*node) || !node->steps.empty() || !(node->input_bytes[0] == form)) return;
    node->is_view = true;  // bytes that stay what they are
    draft_.value(id).same_memory_as = node->op.inputs()[0][0];
  }

  // To what all who read the value round it once more, if they are joins and agree.
  std::optional<Int8Form> FormOfJoins(ValueId id) const {
    std::optional<Int8Form> form;
    for (const Reader& reader : readers_[static_cast<size_t>(id)]) {
      if (!IsJoin(*reader.node) || (form && !(reader.node->output_bytes == form))) return {};
      form = reader.node->output_bytes;
    }
    return form;
  }

  PlanDraft& draft_;
  std::vector<std::vector<Reader>> readers_;
  std::vector<PlanNode*> producer_;
  std::vector<bool> whole_;  // memory of its own that nobody outside reads
};

}  // namespace

bool Asks(const PlanDraft& draft, const OpLite& op, DataLayoutType layout,
          bool (*KernelTraits::*can)(const OpLite&, const MetaOfSlot&)) {
  const KernelInfo* kernel =
      KernelRegistry::Global().Find(op.type(), PrecisionType::kFloat, layout);
  if (kernel == nullptr || kernel->traits.*can == nullptr) return false;
  return (kernel->traits.*can)(op, [&](const char* slot) -> const TensorMeta* {
    const std::vector<ValueId>& ids = op.Input(slot);
    return ids.empty() ? nullptr : &draft.value(ids[0]).meta;
  });
}

void KeepBytes(PlanDraft* draft) {
  const auto rounds = [](const PlanNode& node) { return Rounds(node.op); };
  if (std::any_of(draft->nodes.begin(), draft->nodes.end(), rounds)) ByteKeeper(draft).Run();
}

}  // namespace paddle::lite
