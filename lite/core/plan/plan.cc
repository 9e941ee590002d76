#include "lite/core/plan/plan.h"

#include <map>

#include "lite/core/base/cpu_info.h"
#include "lite/core/memory.h"
#include "lite/core/plan/execute.h"
#include "lite/core/run_recorder.h"
#include "lite/core/run_scope.h"

namespace paddle::lite {
namespace {

// Freed weights go back to the system in portions of this size while others are packed.
constexpr size_t kTrimBytes = size_t{8} << 20;

PlanDraft StartDraft(Graph* graph, int begin, const std::vector<Tensor*>& environment) {
  PlanDraft draft;
  draft.graph = graph;
  draft.begin = begin;
  draft.values.resize(graph->values.size());
  for (size_t v = 0; v < draft.values.size(); ++v) {
    const Tensor* constant = graph->values[v].constant.get();
    draft.values[v].constant = constant;
    if (constant != nullptr) {
      draft.values[v].meta = constant->meta();
      if (constant->list() != nullptr) draft.values[v].outside = constant;
    } else if (environment[v] != nullptr) {
      draft.values[v].meta = environment[v]->meta();
      draft.values[v].outside = environment[v];
    }
  }
  return draft;
}

void RunObserved(Instruction* instruction, RunRecorder* recorder) {
  Observation observation(recorder);
  instruction->kernel->Run(instruction->context);
  observation.Done(*instruction->info, *instruction->kernel, instruction->context);
}

}  // namespace

void Arena::Reserve(size_t wanted) {
  if (wanted <= bytes) return;
  memory.reset();  // before asking for more: outputs that still need it hold it themselves
  bytes = 0;
  memory = AllocateAligned(wanted);
  bytes = wanted;
}

Plan::Plan(Graph* graph, int begin, const std::vector<Tensor*>& environment, int threads,
           bool force_nhwc)
    : graph_(graph), begin_(begin) {
  std::lock_guard<ForkSafeMutex> lock(graph->planning);
  PlanDraft draft = StartDraft(graph, begin, environment);
  InferStretch(&draft);
  end_ = draft.end;
  FindKeys(draft);
  RoundOnce(&draft);
  FindShuffles(&draft);
  FuseAttention(&draft);
  AssignLayouts(&draft, force_nhwc);
  FuseEpilogues(&draft);
  InsertConversions(&draft);
  JoinShuffles(&draft);
  PlaceSlices(&draft);
  KeepBytes(&draft);
  Prepare(&draft, threads);
  strips_ = FindStrips(draft, &instructions_, static_cast<int64_t>(ThisCaches().l2));
  PlaceTensors(draft);
}

void Plan::FindKeys(const PlanDraft& draft) {
  std::vector<bool> done(graph_->values.size());
  for (int i = begin_; i < end_; ++i) {
    const OpLite& op = graph_->ops[static_cast<size_t>(i)];
    for (const auto& slot : op.outputs())
      for (const ValueId id : slot) done[static_cast<size_t>(id)] = true;
    for (const auto& slot : op.inputs())
      for (const ValueId id : slot) {
        const auto v = static_cast<size_t>(id);
        if (!done[v] && graph_->values[v].constant == nullptr)
          keys_.push_back({id, draft.value(id).meta});
        done[v] = true;
      }
  }
}

Tensor* Plan::TensorOf(const PlanDraft& draft, ValueId id) {
  auto& tensor = tensors_[static_cast<size_t>(id)];
  if (tensor == nullptr) {
    tensor = std::make_unique<Tensor>(draft.value(id).meta);
    tensor->set_layout(draft.value(id).layout);
    tensor->set_pixel_stride(draft.value(id).pixel_stride);
  }
  return tensor.get();
}

// Makes the instructions, whose tensors have no memory yet.
void Plan::Prepare(PlanDraft* draft, int threads) {
  tensors_.resize(draft->values.size());
  packed_reads_.assign(graph_->values.size(), 0);
  size_t freed = 0;
  auto input = [&](ValueId id) -> const Tensor* {
    const PlanValue& value = draft->value(id);
    return value.constant != nullptr ? value.constant : TensorOf(*draft, id);
  };

  const std::vector<bool> early = EarlyNodes(*draft);
  for (const PlanValue& value : draft->values)
    if (value.folded != nullptr) constants_.push_back(value.folded);
  for (size_t n = 0; n < draft->nodes.size(); ++n) {
    const PlanNode& node = draft->nodes[n];
    if (node.is_view) continue;
    CheckCancelled();
    const KernelInfo& info = PickKernel(*draft, node);
    instructions_.push_back(
        {info.Create(), KernelContext(node.op), node.op, &info, static_cast<int>(n)});
    Instruction& instruction = instructions_.back();
    instruction.context = KernelContext(instruction.op);
    KernelContext& context = instruction.context;
    for (size_t s = 0; s < node.op.inputs().size(); ++s)
      for (const ValueId id : node.op.inputs()[s]) context.inputs()[s].push_back(input(id));
    for (size_t s = 0; s < node.op.outputs().size(); ++s)
      for (const ValueId id : node.op.outputs()[s])
        context.outputs()[s].push_back(TensorOf(*draft, id));
    const std::function<std::vector<FusedStep>(const std::vector<PlanStep>&)> fused =
        [&](const std::vector<PlanStep>& steps) {
          std::vector<FusedStep> made;
          for (const PlanStep& step : steps)
            made.push_back({step.step, step.operand < 0 ? nullptr : input(step.operand), step.bytes,
                            fused(step.of_input)});
          return made;
        };
    context.mutable_fused() = fused(node.steps);
    context.set_bytes(node.input_bytes, node.output_bytes);
    context.set_pack_cache(&graph_->packs);
    context.set_threads(threads);
    context.set_early(early[n]);
    graph_->packed_memory.set_last_read(LastReads(node), graph_->pages.lock());
    try {
      const math::UseWeightMemory use(&graph_->packed_memory);
      instruction.kernel->PrepareForRun(context);
    } catch (LiteError& error) {
      error.AddContext(instruction.op.where());
      throw;
    }
    for (const auto& slot : context.inputs())
      for (const Tensor* tensor : slot)
        if (context.packed_inputs().count(tensor) == 0) graph_->packed_memory.NeedsOwnData(tensor);
    freed += FreePackedWeights(node, context);
    if (freed < kTrimBytes) continue;
    ReturnFreedMemory();
    freed = 0;
  }
  if (freed > 0) ReturnFreedMemory();
  for (size_t i = 0; i < draft->live_out.size(); ++i)
    live_out_.push_back({draft->live_out[i], input(draft->live_out_as[i]), false});
}

// Plans the arena, and what is bound in every run because it is outside of it.
void Plan::PlaceTensors(const PlanDraft& draft) {
  std::vector<NodeRange> by_turns;
  for (const Strip& strip : strips_)
    by_turns.push_back(
        {strip.links().front().instruction->node, strip.links().back().instruction->node});
  MemoryPlan memory = PlanMemory(draft, by_turns);
  offsets_ = std::move(memory.offset);
  arena_bytes_ = memory.arena_bytes;
  for (size_t i = 0; i < live_out_.size(); ++i)
    live_out_[i].in_arena =
        offsets_[static_cast<size_t>(draft.live_out_as[i])] != MemoryPlan::kElsewhere;
  // A value that is neither constant nor in the arena is, or views, one from outside.
  std::map<ValueId, LiveIn> live_in;
  for (size_t v = 0; v < tensors_.size(); ++v) {
    if (tensors_[v] == nullptr || offsets_[v] != MemoryPlan::kElsewhere) continue;
    if (draft.values[v].constant != nullptr) continue;
    const ValueId root = draft.Root(static_cast<ValueId>(v));
    live_in[root].graph_value = root;
    live_in[root].aliases.push_back(tensors_[v].get());
  }
  for (auto& [root, entry] : live_in) live_in_.push_back(std::move(entry));
}

// Data of the constants that no operator but this one still has to pack.
std::vector<const void*> Plan::LastReads(const PlanNode& node) const {
  std::vector<const void*> constants;
  for (const auto& slot : node.op.inputs())
    for (const ValueId id : slot) {
      const auto v = static_cast<size_t>(id);
      if (v >= graph_->values.size() || graph_->values[v].constant == nullptr) continue;
      if (packed_reads_[v] + 1 == graph_->reader_count[v])
        constants.push_back(graph_->values[v].constant->raw_data());
    }
  return constants;
}

// A weight that all its readers have packed is not needed any more: freed at once, so that not all
// weights are there twice.
size_t Plan::FreePackedWeights(const PlanNode& node, const KernelContext& context) {
  size_t freed = 0;
  for (const auto& slot : node.op.inputs())
    for (const ValueId id : slot) {
      const auto v = static_cast<size_t>(id);
      if (v >= graph_->values.size()) continue;
      Tensor* constant = graph_->values[v].constant.get();
      if (constant == nullptr || context.packed_inputs().count(constant) == 0) continue;
      if (++packed_reads_[v] != graph_->reader_count[v]) continue;
      freed += constant->memory_size();
      constant->ReleaseData();
    }
  return freed;
}

bool Plan::Matches(int begin, const std::vector<Tensor*>& environment) const {
  if (begin != begin_) return false;
  for (const Key& key : keys_) {
    const Tensor* tensor = environment[static_cast<size_t>(key.graph_value)];
    if (tensor == nullptr || !(tensor->meta() == key.meta)) return false;
    if (tensor->list() != nullptr || !tensor->has_value()) return false;
  }
  return true;
}

size_t Plan::bytes() const {
  constexpr size_t kOfOne = 1024;  // an instruction with its kernel and tensors
  size_t bytes = instructions_.size() * kOfOne;
  for (const auto& constant : constants_) bytes += constant->memory_size();
  return bytes;
}

void Plan::Rebase(const std::vector<Tensor*>& environment, const Arena& arena) {
  for (const LiveIn& entry : live_in_) {
    Tensor* source = environment[static_cast<size_t>(entry.graph_value)];
    for (Tensor* alias : entry.aliases) alias->Bind(source->raw_data(), source->memory_size());
  }
  if (arena.memory.get() == arena_base_) return;
  arena_base_ = arena.memory.get();
  auto* base = static_cast<char*>(arena.memory.get());
  for (size_t v = 0; v < tensors_.size(); ++v)
    if (tensors_[v] != nullptr && offsets_[v] != MemoryPlan::kElsewhere)
      tensors_[v]->Bind(base + offsets_[v], tensors_[v]->memory_size());
}

void Plan::Run(const std::vector<Tensor*>& environment, Arena* arena, int threads, bool borrow) {
  arena->Reserve(arena_bytes_);
  Rebase(environment, *arena);
  const CancelCheck check;
  RunRecorder* const recorder = RunScope::Recorder();
  auto strip = strips_.begin();
  for (size_t i = 0; i < instructions_.size(); ++i) {
    Instruction& instruction = instructions_[i];
    check();
    instruction.context.set_threads(threads);
    try {
      if (strip != strips_.end() && strip->links().front().instruction == &instruction) {
        strip->Run(threads, recorder);
        i += strip++->links().size() - 1;
      } else if (recorder == nullptr) {
        instruction.kernel->Run(instruction.context);
      } else {
        RunObserved(&instruction, recorder);
      }
    } catch (LiteError& error) {
      error.AddContext(instruction.op.where());
      throw;
    }
  }
  for (const LiveOut& out : live_out_) {
    Tensor* target = environment[static_cast<size_t>(out.graph_value)];
    if (borrow && out.in_arena) {
      *target = *out.tensor;
      target->Bind(const_cast<void*>(out.tensor->raw_data()), out.tensor->memory_size(),
                   arena->memory);
    } else {
      target->CopyDataFrom(*out.tensor);
    }
  }
}

}  // namespace paddle::lite
