#include "lite/core/runtime_program.h"

#include <algorithm>
#include <optional>

#include "lite/core/plan/execute.h"
#include "lite/core/run_recorder.h"
#include "lite/core/run_scope.h"
#include "lite/core/truth.h"

namespace paddle::lite {
namespace {

void RunBlockOp(BlockOp* block_op, const OpLite& op,
                const std::vector<std::vector<const Tensor*>>& inputs,
                const std::vector<std::vector<Tensor*>>& outputs, int threads) {
  try {
    block_op->Run(inputs, outputs, threads);
  } catch (LiteError& error) {
    error.AddContext(op.where());
    throw;
  }
}

}  // namespace

RuntimeProgram::RuntimeProgram(std::shared_ptr<Graph> graph, Scope* exec_scope)
    : graph_(std::move(graph)),
      exec_scope_(exec_scope),
      environment_(graph_->values.size(), nullptr) {}

Tensor* RuntimeProgram::Intermediate(ValueId id) {
  auto& tensor = environment_[static_cast<size_t>(id)];
  if (tensor == nullptr) {
    // The id tells apart the versions of a name that is written more than once.
    const std::string& name = graph_->values[static_cast<size_t>(id)].name;
    tensor = exec_scope_->Var(StrCat(name, "@", id))->GetMutable<Tensor>();
  }
  return tensor;
}

Plan* RuntimeProgram::FindOrMakePlan(int begin, int threads) {
  for (auto it = plans_.begin(); it != plans_.end(); ++it) {
    if (!(*it)->Matches(begin, environment_)) continue;
    plans_.splice(plans_.begin(), plans_, it);
    return plans_.front().get();
  }
  std::optional<Observation> observation;
  if (RunRecorder* recorder = RunScope::Recorder()) observation.emplace(recorder);
  auto plan = std::make_unique<Plan>(graph_.get(), begin, environment_, threads, force_layout_);
  if (observation) observation->Done(OperatorRecord::Kind::kPlanning);
  plan_bytes_ += plan->bytes();
  plans_.push_front(std::move(plan));
  while (plans_.size() > kMaxPlans || (plans_.size() > kFewPlans && plan_bytes_ > kMaxPlanBytes)) {
    plan_bytes_ -= plans_.back()->bytes();
    plans_.pop_back();
  }
  return plans_.front().get();
}

void RuntimeProgram::RunDataDependent(int index, int threads) {
  static const Tensor unwritten;
  const OpLite& op = graph_->ops[static_cast<size_t>(index)];
  const auto block_op = graph_->block_ops.find(index);
  std::vector<std::vector<const Tensor*>> inputs;
  std::vector<std::vector<Tensor*>> outputs;
  for (const auto& slot : op.inputs()) {
    inputs.emplace_back();
    for (const ValueId id : slot) {
      const Value& value = graph_->values[static_cast<size_t>(id)];
      const Tensor* computed = environment_[static_cast<size_t>(id)];
      inputs.back().push_back(value.constant ? value.constant.get()
                              : computed     ? computed
                                             : &unwritten);
    }
  }
  for (const auto& slot : op.outputs()) {
    outputs.emplace_back();
    for (const ValueId id : slot) outputs.back().push_back(Intermediate(id));
  }
  const bool runs_block = block_op != graph_->block_ops.end();
  std::optional<Observation> observation;
  if (RunRecorder* recorder = RunScope::Recorder()) observation.emplace(recorder);
  if (runs_block)
    RunBlockOp(block_op->second.get(), op, inputs, outputs, threads);
  else
    InferAndRun(op, inputs, outputs, threads);
  if (observation)
    observation->Done(runs_block ? OperatorRecord::Kind::kBlock : OperatorRecord::Kind::kOperator,
                      op, inputs, outputs);
}

void RuntimeProgram::Run(const std::vector<Tensor*>& inputs, const std::vector<Tensor*>& outputs,
                         int threads) {
  std::list<Tensor> plain;  // in place of inputs whose bools have other bytes than 0 and 1
  for (size_t i = 0; i < inputs.size(); ++i) {
    environment_[static_cast<size_t>(graph_->inputs[i])] =
        HasOtherTruth(*inputs[i]) ? &plain.emplace_back(WithPlainTruth(*inputs[i])) : inputs[i];
  }
  const int op_count = static_cast<int>(graph_->ops.size());
  for (int position = 0; position < op_count;) {
    CheckCancelled();  // a loop's block may have nothing else
    Plan* plan = FindOrMakePlan(position, threads);
    // What a later stretch reads is copied out of the arena, which that stretch uses again.
    const bool last = plan->end() == op_count;
    plan->PrepareOutputs([this](ValueId id) { return Intermediate(id); });
    plan->Run(environment_, &arena_, threads, /*borrow=*/last);
    position = plan->end();
    if (position < op_count) RunDataDependent(position++, threads);
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    const ValueId id = graph_->outputs[i];
    const Tensor* constant = graph_->values[static_cast<size_t>(id)].constant.get();
    const Tensor* result = constant ? constant : environment_[static_cast<size_t>(id)];
    // What the caller fed may change under its result.
    const bool fed = std::find(inputs.begin(), inputs.end(), result) != inputs.end() ||
                     std::any_of(plain.begin(), plain.end(),
                                 [result](const Tensor& tensor) { return &tensor == result; });
    if (fed)
      outputs[i]->CopyDataFrom(*result);
    else
      outputs[i]->ShareDataWith(*result);
  }
}

void RuntimeProgram::Shrink() {
  plans_.clear();
  plan_bytes_ = 0;
  arena_ = Arena();
  for (const ValueId id : graph_->inputs) environment_[static_cast<size_t>(id)] = nullptr;
  for (Tensor* tensor : environment_)
    if (tensor != nullptr) tensor->ReleaseData();
}

}  // namespace paddle::lite
