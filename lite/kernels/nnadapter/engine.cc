#include "lite/kernels/nnadapter/engine.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "lite/core/base/errors.h"
#include "lite/core/block_variables.h"
#include "lite/kernels/nnadapter/device_block.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

using Clock = std::chrono::steady_clock;

double MillisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

template <typename T>
const T* FindAttr(const OpDesc& op, const std::string& name) {
  const auto found = op.attrs.find(name);
  return found == op.attrs.end() ? nullptr : std::get_if<T>(&found->second);
}

const std::vector<std::string>& SlotOf(const std::map<std::string, std::vector<std::string>>& slots,
                                       const char* name) {
  const auto found = slots.find(name);
  if (found == slots.end() || found->second.empty())
    throw ModelFormatError(StrCat("a subgraph operator has nothing in ", name));
  return found->second;
}

std::vector<size_t> PositionsOf(const OpDesc& op, const char* attr,
                                const std::vector<std::string>& names) {
  const auto* listed = FindAttr<std::vector<std::string>>(op, attr);
  if (listed == nullptr)
    throw ModelFormatError(StrCat("a subgraph operator has no attribute ", attr));
  std::vector<size_t> positions;
  for (const std::string& name : *listed) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw ModelFormatError(
          StrCat("'", name, "' of ", attr, " is not among the subgraph operator's variables"));
    positions.push_back(static_cast<size_t>(found - names.begin()));
  }
  // Drivers see inputs and outputs sorted by name, as Paddle Lite's do.
  std::sort(positions.begin(), positions.end(),
            [&](size_t a, size_t b) { return names[a] < names[b]; });
  return positions;
}

std::vector<float> ScalesOf(const OpDesc& op, const char* slot, size_t count) {
  std::vector<float> scales(count, 0.0f);
  for (size_t i = 0; i < count; ++i) {
    const auto* listed = FindAttr<std::vector<float>>(op, StrCat(slot, i, "_scale"));
    if (listed != nullptr && listed->size() == 1) scales[i] = (*listed)[0];
  }
  return scales;
}

bool OnSameDevices(const std::optional<RuntimeReport>& a, const std::optional<RuntimeReport>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return std::equal(
      a->programs.begin(), a->programs.end(), b->programs.begin(), b->programs.end(),
      [](const DeviceProgram& x, const DeviceProgram& y) { return x.device == y.device; });
}

bool EndedAlike(const CompileOutcome& a, const CompileOutcome& b, bool compare_errors) {
  return std::equal(a.attempts.begin(), a.attempts.end(), b.attempts.begin(), b.attempts.end(),
                    [&](const CompileAttempt& x, const CompileAttempt& y) {
                      return x.devices == y.devices && x.error.empty() == y.error.empty() &&
                             (!compare_errors || x.error == y.error);
                    }) &&
         OnSameDevices(a.runtime, b.runtime);
}

}  // namespace

Engine::Engine(const BlockOpSource& source)
    : session_(std::static_pointer_cast<DeviceSession>(source.session)),
      block_index_(SubBlockOf(source.op, source.program)),
      padding_(session_->settings(), source_) {
  const OpDesc& op = source.op;
  block_ = source.program.blocks[static_cast<size_t>(block_index_)];
  input_names_ = SlotOf(op.inputs, "Inputs");
  output_names_ = SlotOf(op.outputs, "Outputs");
  data_inputs_ = PositionsOf(op, "input_data_names", input_names_);
  data_outputs_ = PositionsOf(op, "output_data_names", output_names_);
  if (data_outputs_.empty()) throw ModelFormatError("a subgraph operator has no outputs");
  input_scales_ = ScalesOf(op, "Inputs", input_names_.size());
  report_.block = block_index_;
}

bool Engine::TryRun(Program* program, const std::vector<const Tensor*>& inputs,
                    const std::vector<Tensor*>& outputs, int threads) {
  const auto begin = Clock::now();
  if (!program->block->Run(inputs, outputs, threads)) return false;
  ++program->outcome->runs;
  if (!std::exchange(program->ran, true))
    program->outcome->runtime = program->block->runtime_report();
  Touch(program->outcome);
  ++report_.runs;
  report_.run_ms += MillisecondsSince(begin);
  report_.input_bytes = report_.output_bytes = 0;
  for (const size_t i : data_inputs_)
    report_.input_bytes += static_cast<int64_t>(inputs[i]->memory_size());
  for (const size_t i : data_outputs_)
    report_.output_bytes += static_cast<int64_t>(outputs[i]->memory_size());
  return true;
}

bool Engine::RunCompiled(const std::vector<const Tensor*>& inputs,
                         const std::vector<Tensor*>& outputs, int threads, bool* candidates) {
  for (auto it = programs_.begin(); it != programs_.end(); ++it) {
    if (!it->block->MayTake(inputs)) continue;
    if (!TryRun(&*it, inputs, outputs, threads)) {
      *candidates = false;
      continue;
    }
    programs_.splice(programs_.begin(), programs_, it);
    return true;
  }
  return on_cpu_.block && cpu_->MayTake(inputs) && TryRun(&on_cpu_, inputs, outputs, threads);
}

void Engine::Run(const std::vector<std::vector<const Tensor*>>& input_slots,
                 const std::vector<std::vector<Tensor*>>& output_slots, int threads) {
  const auto& inputs = input_slots.at(0);
  const auto& outputs = output_slots.at(0);
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  if (inputs.size() != input_names_.size() || outputs.size() != output_names_.size())
    throw ModelFormatError("a subgraph operator reads variables that nothing writes");
  const PaddedShapes* padded = padding_.Find(inputs);
  if (padded == nullptr) return RunShapes(inputs, outputs, threads);
  padding_.RunIn(*padded, inputs, outputs,
                 [&](const auto& in, const auto& out) { RunShapes(in, out, threads); });
  ++report_.padded_runs;
  report_.padding = padded->waste;
}

void Engine::RunShapes(const std::vector<const Tensor*>& inputs,
                       const std::vector<Tensor*>& outputs, int threads) {
  // Shapes that the program for the candidates refuses get a program of their own.
  const DeviceSettings& settings = session_->settings();
  bool candidates = !exact_ && !settings.dynamic_shape_info.empty() && settings.padded_axes.empty();
  if (RunCompiled(inputs, outputs, threads, &candidates)) return;
  const auto run = [&](Program* program) {
    if (program->block != cpu_) return TryRun(program, inputs, outputs, threads);
    on_cpu_ = *program;  // kept before it runs, which may throw
    return TryRun(&on_cpu_, inputs, outputs, threads);
  };
  Program program = Compile(inputs, candidates);
  bool ran = run(&program);
  if (!ran && candidates) {
    program = Compile(inputs, false);
    ran = run(&program);
  }
  if (!ran)
    throw DeviceError(StrCat(
        "the program that was compiled for the inputs' shapes on ", program.block->devices(),
        " refuses them (INVALID_DIMENSIONS): ", LoadNNAdapter().NNAdapter_getLastErrorMessage()));
  if (program.block == cpu_) return;
  programs_.push_front(std::move(program));
  if (programs_.size() > kMaxPrograms) programs_.pop_back();
}

Engine::Program Engine::Compile(const std::vector<const Tensor*>& inputs, bool candidates) {
  const auto begin = Clock::now();
  CompileOutcome outcome;
  std::string all_errors;
  Program program;
  const auto attempt = [&](const std::vector<std::string>& devices, auto&& make) {
    outcome.attempts.push_back({devices, ""});
    try {
      program.block = make();
    } catch (const ConfigError&) {
      throw;  // a setting that is wrong is wrong on every device
    } catch (const LiteError& error) {
      outcome.attempts.back().error = error.what();
      all_errors += StrCat("\n  ", session_->Describe(devices), ": ", error.what());
      return false;
    }
    report_.compile_ms += MillisecondsSince(begin);
    ++report_.programs;
    outcome.operations = program.block->operations();
    outcome.runtime = program.block->runtime_report();
    program.outcome = Count(std::move(outcome));
    return true;
  };
  for (const std::vector<std::string>& devices : session_->DeviceLists()) {
    // What stands in for the wanted devices must not take the shapes that those take.
    const bool wanted = devices == session_->settings().device_names;
    if (attempt(devices, [&] { return CompileFor(devices, inputs, candidates && wanted); }))
      return program;
  }
  if (!session_->settings().strict)
    if (attempt({"CPU"}, [&] {
          if (!cpu_) cpu_ = std::make_shared<CpuBlock>(source_, inputs);
          cpu_->Add(inputs);
          return cpu_;
        }))
      return program;
  Count(std::move(outcome));
  throw DeviceError(StrCat("block ", block_index_, " (", block_.ops.size(),
                           " operators) cannot be compiled", all_errors));
}

std::shared_ptr<CompiledBlock> Engine::CompileFor(const std::vector<std::string>& devices,
                                                  const std::vector<const Tensor*>& inputs,
                                                  bool candidates) {
  if (candidates) {
    try {
      return std::make_shared<DeviceBlock>(session_, source_, devices, inputs, true);
    } catch (const ConfigError&) {
      throw;
    } catch (const LiteError&) {  // it may know no sizes that are open
    }
  }
  auto block = std::make_shared<DeviceBlock>(session_, source_, devices, inputs, false);
  exact_ = exact_ || candidates;
  return block;
}

std::shared_ptr<CompileOutcome> Engine::Count(CompileOutcome outcome) {
  const auto find = [&](bool compare_errors) {
    return std::find_if(outcomes_.begin(), outcomes_.end(), [&](const auto& known) {
      return EndedAlike(*known, outcome, compare_errors);
    });
  };
  auto found = find(true);
  // Errors that always differ must not push out how other compilations ended.
  if (found == outcomes_.end() && outcomes_.size() >= kMaxOutcomes) found = find(false);
  if (found == outcomes_.end()) {
    outcomes_.push_front(std::make_shared<CompileOutcome>(std::move(outcome)));
  } else {
    (*found)->operations = std::move(outcome.operations);
    (*found)->runtime = std::move(outcome.runtime);
    Touch(*found);
  }
  if (outcomes_.size() > kMaxOutcomes) outcomes_.pop_back();
  ++outcomes_.front()->compilations;
  return outcomes_.front();
}

void Engine::Touch(const std::shared_ptr<CompileOutcome>& outcome) {
  const auto found = std::find(outcomes_.begin(), outcomes_.end(), outcome);
  if (found != outcomes_.end()) {
    outcomes_.splice(outcomes_.begin(), outcomes_, found);
    return;
  }
  outcomes_.push_front(outcome);
  if (outcomes_.size() > kMaxOutcomes) outcomes_.pop_back();
}

bool Engine::Writes(const std::string& output) const {
  return std::any_of(data_outputs_.begin(), data_outputs_.end(),
                     [&](size_t i) { return output_names_[i] == output; });
}

SubgraphReport Engine::Report() const {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  SubgraphReport report = report_;
  for (const auto& outcome : outcomes_) report.outcomes.push_back(*outcome);
  return report;
}

}  // namespace paddle::lite::nnadapter_bridge
