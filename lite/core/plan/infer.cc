#include <algorithm>

#include "lite/core/infer_op.h"
#include "lite/core/memory.h"
#include "lite/core/plan/draft.h"
#include "lite/core/plan/execute.h"
#include "lite/core/run_scope.h"

namespace paddle::lite {
namespace {

constexpr int64_t kMaxFoldedElements = 4096;  // shape arithmetic is small; bulk work is for the run

int64_t TotalElements(const std::vector<std::vector<TensorMeta>>& metas) {
  int64_t total = 0;
  for (const auto& slot : metas)
    for (const TensorMeta& meta : slot) total += meta.dims.production();
  return total;
}

// All inputs are known, or only their shapes are needed: the operator can be computed right now.
bool CanFold(const PlanDraft& draft, const OpLite& op,
             const std::vector<std::vector<TensorMeta>>& outputs) {
  const OpInfo& info = op.info();
  if (info.random() || info.compute() || info.side_effect()) return false;
  if (!op.info().shape_only()) {
    for (const auto& slot : op.inputs())
      for (const ValueId id : slot) {
        const Tensor* constant = draft.value(id).constant;
        if (constant == nullptr || (!constant->has_data() && constant->numel() != 0)) return false;
      }
  }
  return TotalElements(outputs) <= kMaxFoldedElements;
}

void Fold(PlanDraft* draft, const OpLite& op, const std::vector<std::vector<TensorMeta>>& metas) {
  std::vector<Tensor> shapes_only;
  std::vector<std::vector<const Tensor*>> inputs;
  size_t count = 0;
  for (const auto& slot : op.inputs()) count += slot.size();
  shapes_only.reserve(count);
  for (const auto& slot : op.inputs()) {
    inputs.emplace_back();
    for (const ValueId id : slot) {
      const PlanValue& value = draft->value(id);
      if (value.constant == nullptr) shapes_only.emplace_back(value.meta);
      inputs.back().push_back(value.constant ? value.constant : &shapes_only.back());
    }
  }
  std::vector<std::vector<Tensor*>> outputs;
  for (size_t s = 0; s < op.outputs().size(); ++s) {
    outputs.emplace_back();
    for (size_t i = 0; i < op.outputs()[s].size(); ++i) {
      PlanValue& value = draft->value(op.outputs()[s][i]);
      value.folded = std::make_shared<Tensor>(metas[s][i]);
      value.folded->set_persistable(true);
      value.folded->MutableRaw(metas[s][i].dtype);
      value.constant = value.folded.get();
      outputs.back().push_back(value.folded.get());
    }
  }
  RunKernelNow(op, inputs, outputs, NodePrecision(*draft, op), /*threads=*/1);
}

// Infers one operator; false where it needs data that is not known.
bool InferOp(PlanDraft* draft, const OpLite& op) {
  const auto inferred = InferOutputs(op, [&](size_t s, size_t i) {
    const PlanValue& value = draft->value(op.inputs()[s][i]);
    if (value.outside != nullptr) CheckIsTensor(*value.outside, op, s);
    const bool usable = value.constant != nullptr && value.constant->has_data();
    return KnownInput{&value.meta, usable ? value.constant : nullptr};
  });
  if (!inferred) return false;
  const OutputMetas& outputs = *inferred;
  for (size_t s = 0; s < outputs.size(); ++s)
    for (size_t i = 0; i < outputs[s].size(); ++i) {
      CheckMemoryLimit(Tensor(outputs[s][i]).memory_size(), "an output");
      draft->value(op.outputs()[s][i]).meta = outputs[s][i];
      draft->value(op.outputs()[s][i]).outside = nullptr;
    }
  if (CanFold(*draft, op, outputs))
    Fold(draft, op, outputs);
  else
    draft->nodes.push_back({op, DataLayoutType::kNCHW, {}, false, false});
  return true;
}

// What the stretch computes and the graph needs after it.
void FindLiveOut(PlanDraft* draft) {
  const Graph& graph = *draft->graph;
  std::vector<bool> written(draft->values.size()), needed(draft->values.size());
  for (int i = draft->begin; i < draft->end; ++i)
    for (const auto& slot : graph.ops[static_cast<size_t>(i)].outputs())
      for (const ValueId id : slot) written[static_cast<size_t>(id)] = true;
  auto need = [&](ValueId id) {
    const auto index = static_cast<size_t>(id);
    if (written[index] && !needed[index]) {
      needed[index] = true;
      draft->live_out.push_back(id);
    }
  };
  for (size_t i = static_cast<size_t>(draft->end); i < graph.ops.size(); ++i)
    for (const auto& slot : graph.ops[i].inputs())
      for (const ValueId id : slot) need(id);
  for (const ValueId id : graph.outputs) need(id);
}

}  // namespace

void PlanDraft::ForEachInput(const PlanNode& node, const std::function<void(ValueId)>& visit) {
  for (const auto& slot : node.op.inputs())
    for (const ValueId id : slot) visit(id);
  for (const PlanStep& step : node.steps)
    if (step.operand >= 0) visit(step.operand);
}

void RemoveDeadNodes(PlanDraft* draft) {
  std::vector<bool> needed(draft->values.size());
  for (const ValueId id : draft->live_out) needed[static_cast<size_t>(id)] = true;
  auto& nodes = draft->nodes;
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    bool used = node->op.info().side_effect();
    for (const auto& slot : node->op.outputs())
      for (const ValueId id : slot) used = used || needed[static_cast<size_t>(id)];
    node->dead = !used;
    if (used)
      PlanDraft::ForEachInput(*node, [&](ValueId id) { needed[static_cast<size_t>(id)] = true; });
  }
  nodes.erase(std::remove_if(nodes.begin(), nodes.end(), [](const PlanNode& n) { return n.dead; }),
              nodes.end());
}

PrecisionType NodePrecision(const PlanDraft& draft, const OpLite& op) {
  for (const auto& slot : op.inputs())
    for (const ValueId id : slot) return ToPrecision(draft.value(id).meta.dtype);
  for (const auto& slot : op.outputs())
    for (const ValueId id : slot) return ToPrecision(draft.value(id).meta.dtype);
  return PrecisionType::kAny;
}

void InferStretch(PlanDraft* draft) {
  const auto& ops = draft->graph->ops;
  int i = draft->begin;
  for (; i < static_cast<int>(ops.size()); ++i) {
    const OpLite& op = ops[static_cast<size_t>(i)];
    if (op.info().data_dependent()) break;
    CheckCancelled();
    try {
      if (!InferOp(draft, op)) break;
    } catch (LiteError& error) {
      error.AddContext(op.where());
      throw;
    }
  }
  draft->end = i;
  FindLiveOut(draft);
  RemoveDeadNodes(draft);
}

}  // namespace paddle::lite
