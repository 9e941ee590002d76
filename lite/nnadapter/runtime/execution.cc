#include "lite/nnadapter/runtime/execution.h"

namespace nnadapter::runtime {

Execution::Execution(std::shared_ptr<Compilation> compilation)
    : compilation_(std::move(compilation)) {
  if (!compilation_->finished()) FailParameter("the compilation is not finished");
  inputs_.resize(compilation_->plan().input_types.size());
  outputs_.resize(compilation_->plan().output_types.size());
}

void Execution::Set(std::vector<core::Argument>* arguments, int32_t index, void* memory,
                    Access access, const char* what) {
  if (!access) FailParameter("the access function is null");
  if (index < 0 || static_cast<size_t>(index) >= arguments->size()) {
    FailParameter("there is no ", what, " number ", index, ": the model has ", arguments->size());
  }
  core::Argument& argument = (*arguments)[static_cast<size_t>(index)];
  argument.index = index;
  argument.memory = memory;
  argument.access = access;
}

void Execution::SetInput(int32_t index, void* memory, Access access) {
  std::lock_guard<Mutex> lock(mutex_);
  Set(&inputs_, index, memory, access, "input");
}

void Execution::SetOutput(int32_t index, void* memory, Access access) {
  std::lock_guard<Mutex> lock(mutex_);
  Set(&outputs_, index, memory, access, "output");
}

void Execution::Compute() {
  std::vector<core::Argument> inputs, outputs;
  {
    std::lock_guard<Mutex> lock(mutex_);
    inputs = inputs_;
    outputs = outputs_;
  }
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!inputs[i].access) FailParameter("input ", i, " is not set");
  for (size_t i = 0; i < outputs.size(); ++i)
    if (!outputs[i].access) FailParameter("output ", i, " is not set");
  compilation_->Run(inputs, outputs);
}

}  // namespace nnadapter::runtime
