#include "lite/kernels/nnadapter/engine.h"

#include <algorithm>
#include <chrono>

#include "lite/core/errors.h"
#include "lite/kernels/nnadapter/program.h"

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

}  // namespace

Engine::Engine(const OpDesc& op, const ProgramDesc& program, std::shared_ptr<DeviceSession> session)
    : session_(std::move(session)) {
  const auto* block = FindAttr<int32_t>(op, "sub_block");
  if (block == nullptr || *block < 1 || static_cast<size_t>(*block) >= program.blocks.size())
    throw ModelFormatError(StrCat("a subgraph operator's sub_block is ",
                                  block == nullptr ? -1 : *block, ", the program has ",
                                  program.blocks.size(), " blocks"));
  block_index_ = *block;
  block_ = program.blocks[static_cast<size_t>(*block)];
  input_names_ = SlotOf(op.inputs, "Inputs");
  output_names_ = SlotOf(op.outputs, "Outputs");
  data_inputs_ = PositionsOf(op, "input_data_names", input_names_);
  data_outputs_ = PositionsOf(op, "output_data_names", output_names_);
  if (data_outputs_.empty()) throw ModelFormatError("a subgraph operator has no outputs");
  input_scales_ = ScalesOf(op, "Inputs", input_names_.size());
  report_.block = block_index_;
}

Engine::~Engine() = default;

void Engine::Run(const std::vector<const Tensor*>& inputs, const std::vector<Tensor*>& outputs,
                 int /*threads*/) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (inputs.size() != input_names_.size() || outputs.size() != output_names_.size())
    throw ModelFormatError("a subgraph operator reads variables that nothing writes");
  for (auto it = programs_.begin(); it != programs_.end(); ++it) {
    if (!(*it)->MayTake(inputs, data_inputs_)) continue;
    const bool takes = (*it)->Run(inputs, data_inputs_, outputs, data_outputs_);
    if (!takes) continue;
    programs_.splice(programs_.begin(), programs_, it);
    return Account(*programs_.front(), inputs, outputs);
  }
  std::unique_ptr<Program> program = Compile(inputs);
  if (!program->Run(inputs, data_inputs_, outputs, data_outputs_))
    throw DeviceError(StrCat(
        "the program that was compiled for the inputs' shapes on ", program->devices(),
        " refuses them (INVALID_DIMENSIONS): ", LoadNNAdapter().NNAdapter_getLastErrorMessage()));
  programs_.push_front(std::move(program));
  if (programs_.size() > kMaxPrograms) programs_.pop_back();
  Account(*programs_.front(), inputs, outputs);
}

// What every successful run leaves behind.
void Engine::Account(const Program& program, const std::vector<const Tensor*>& inputs,
                     const std::vector<Tensor*>& outputs) {
  ++report_.runs;
  report_.run_ms += program.last_run_ms();
  report_.input_bytes = report_.output_bytes = 0;
  for (const size_t i : data_inputs_)
    report_.input_bytes += static_cast<int64_t>(inputs[i]->memory_size());
  const auto with_lod = std::find_if(data_inputs_.begin(), data_inputs_.end(),
                                     [&](size_t i) { return !inputs[i]->lod().empty(); });
  for (const size_t i : data_outputs_) {
    report_.output_bytes += static_cast<int64_t>(outputs[i]->memory_size());
    outputs[i]->set_lod(with_lod == data_inputs_.end() ? LoD{} : inputs[*with_lod]->lod());
  }
}

std::unique_ptr<Program> Engine::Compile(const std::vector<const Tensor*>& inputs) {
  const auto begin = Clock::now();
  report_.attempts.clear();
  ProgramSource source;
  source.block = &block_;
  source.op_versions = &op_versions_;
  source.input_names = &input_names_;
  source.output_names = &output_names_;
  source.data_inputs = &data_inputs_;
  source.data_outputs = &data_outputs_;
  source.input_scales = &input_scales_;
  std::string all_errors;
  for (const std::vector<std::string>& devices : session_->DeviceLists()) {
    report_.attempts.push_back({devices, ""});
    try {
      auto program = std::make_unique<Program>(session_, source, devices, inputs);
      report_.compile_ms += MillisecondsSince(begin);
      ++report_.programs;
      report_.operations = program->operations();
      report_.runtime_report = program->runtime_report();
      return program;
    } catch (const LiteError& error) {
      report_.attempts.back().error = error.what();
      all_errors += StrCat("\n  ", session_->Describe(devices), ": ", error.what());
    }
  }
  throw DeviceError(StrCat("block ", block_index_, " (", block_.ops.size(),
                           " operators) cannot be compiled", all_errors));
}

BlockOpReport Engine::Report() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return report_;
}

}  // namespace paddle::lite::nnadapter_bridge
