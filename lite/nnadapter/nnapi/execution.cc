#include "lite/nnadapter/nnapi/execution.h"

#include <algorithm>
#include <list>

#include "lite/nnadapter/nnapi/barrier.h"
#include "lite/nnadapter/nnapi/table.h"

namespace nnadapter::nnapi {

Execution::Execution(std::shared_ptr<Compilation> compilation)
    : compilation_(std::move(compilation)), loop_timeout_(kDefaultLoopTimeout) {
  if (!compilation_->finished()) FailState("the compilation is not finished");
  inputs_.resize(compilation_->model().inputs().size());
  outputs_.resize(compilation_->model().outputs().size());
}

// -- Arguments.

void Execution::RequirePreparing() const {
  if (state_ != State::kPreparing) FailState("the execution was started");
}

Execution::Argument& Execution::Place(bool output, int32_t index, OperandType* type) {
  RequirePreparing();
  if (index < 0) FailData("there is no argument ", index);
  *type = compilation_->ArgumentType(static_cast<uint32_t>(index), output);
  Argument& argument = (output ? outputs_ : inputs_)[static_cast<size_t>(index)];
  if (argument.set) FailState(output ? "output " : "input ", index, " was set before");
  return argument;
}

Dims Execution::KnownDims(bool output, const OperandType& operand,
                          const ANeuralNetworksOperandType* type) const {
  Dims dims = operand.dims;
  if (type) {
    if (type->type != operand.code)
      FailData("the argument is ", TypeText(operand), ", not ", OperandCodeName(type->type));
    if (type->dimensionCount > 0 && !type->dimensions) FailData("its dimensions are null");
    if (!IsTensor(operand.code) && type->dimensionCount > 0) FailData("a scalar has no dimensions");
    if (!dims.empty() && type->dimensionCount != dims.size() &&
        !(output && type->dimensionCount == 0))
      FailData("the argument is ", TypeText(operand), ", given are ", type->dimensionCount,
               " dimensions");
    if (dims.empty()) dims.resize(std::min<uint32_t>(type->dimensionCount, 1024), 0);
    for (uint32_t i = 0; i < type->dimensionCount && i < dims.size(); ++i) {
      const uint32_t given = type->dimensions[i];
      if (dims[i] != 0 && given != dims[i] && !(output && given == 0))
        FailData("dimension ", i, " is ", given, ", the argument is ", TypeText(operand));
      dims[i] = std::max(dims[i], given);
    }
  }
  uint64_t bytes = 1;
  for (uint32_t extent : dims) {
    bytes *= extent == 0 ? 1 : extent;
    if (bytes > UINT32_MAX) FailData("the argument is larger than 4 GiB");
  }
  OperandType known = operand;
  known.dims = dims;
  if (!output && !IsShapeKnown(known))
    FailData("the input is ", TypeText(known), ": its dimensions must be known");
  return dims;
}

void Execution::CheckLength(bool output, const OperandType& operand, size_t length) const {
  if (output && !IsShapeKnown(operand)) return;
  const size_t expected = ByteSize(operand);
  if (padding_ ? length < expected : length != expected)
    FailData("the argument is ", TypeText(operand), ": ", expected, " bytes, given are ", length);
}

void Execution::SetBuffer(bool output, int32_t index, const ANeuralNetworksOperandType* type,
                          void* buffer, size_t length) {
  std::lock_guard<std::mutex> lock(mutex_);
  OperandType operand;
  Argument& place = Place(output, index, &operand);
  Argument argument;
  argument.set = true;
  if (!buffer && length > 0)
    Fail(ANEURALNETWORKS_UNEXPECTED_NULL, "the buffer is null, its length is ", length);
  if (!buffer) {
    argument.left_out = true;
  } else {
    argument.dims = operand.dims = KnownDims(output, operand, type);
    CheckLength(output, operand, length);
  }
  argument.buffer = static_cast<uint8_t*>(buffer);
  argument.length = length;
  place = std::move(argument);
}

void Execution::SetMemory(bool output, int32_t index, const ANeuralNetworksOperandType* type,
                          std::shared_ptr<Memory> memory, size_t offset, size_t length) {
  std::lock_guard<std::mutex> lock(mutex_);
  OperandType operand;
  Argument& place = Place(output, index, &operand);
  Argument argument;
  argument.set = true;
  if (DescMemory* desc = memory->desc()) {
    desc->CheckPart(offset, length, output);
    desc->CheckRole({compilation_.get(), static_cast<uint32_t>(index), output});
    argument.dims = type ? KnownDims(true, operand, type) : operand.dims;
  } else {
    argument.dims = operand.dims = KnownDims(output, operand, type);
    CheckLength(output, operand, length);
    memory->CheckPart(offset, length, output);
  }
  argument.memory = std::move(memory);
  argument.offset = offset;
  argument.length = length;
  place = std::move(argument);
}

// -- Settings.

void Execution::SetTimeout(uint64_t nanoseconds) {
  std::lock_guard<std::mutex> lock(mutex_);
  compilation_->RequireOneDevice();
  RequirePreparing();
  timeout_ = nanoseconds;
}

void Execution::SetLoopTimeout(uint64_t nanoseconds) {
  std::lock_guard<std::mutex> lock(mutex_);
  RequirePreparing();
  loop_timeout_ = std::min(nanoseconds, kMaximumLoopTimeout);
}

void Execution::SetMeasureTiming(bool measure) {
  std::lock_guard<std::mutex> lock(mutex_);
  compilation_->RequireOneDevice();
  RequirePreparing();
  measure_ = measure;
}

void Execution::SetReusable(bool reusable) {
  std::lock_guard<std::mutex> lock(mutex_);
  RequirePreparing();
  reusable_ = reusable;
}

void Execution::EnablePadding(bool enable) {
  std::lock_guard<std::mutex> lock(mutex_);
  RequirePreparing();
  const auto is_set = [](const Argument& argument) { return argument.set; };
  if (std::any_of(inputs_.begin(), inputs_.end(), is_set) ||
      std::any_of(outputs_.begin(), outputs_.end(), is_set))
    FailState("arguments were set before padding was enabled");
  padding_ = enable;
}

// -- Computing.

void Execution::Begin() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (state_ == State::kRunning) FailState("the execution is running");
  if (state_ == State::kDone && !reusable_) FailState("the execution was computed");
  for (size_t i = 0; i < inputs_.size(); ++i)
    if (!inputs_[i].set) FailData("input ", i, " is not set");
  for (size_t i = 0; i < outputs_.size(); ++i)
    if (!outputs_[i].set) FailData("output ", i, " is not set");
  state_ = State::kRunning;
}

void Execution::Abandon() {
  std::lock_guard<std::mutex> lock(mutex_);
  state_ = State::kPreparing;
}

int Execution::Compute(uint64_t timeout) noexcept {
  const int code = Barrier(__func__, [&] { Run(timeout == 0 ? timeout_ : timeout); });
  FailWith(code);
  return code;
}

void Execution::FailWith(int code) noexcept {
  if (code != ANEURALNETWORKS_NO_ERROR) SpoilOutputs();
  std::lock_guard<std::mutex> lock(mutex_);
  result_ = code;
  if (code != ANEURALNETWORKS_NO_ERROR && code != ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE)
    shapes_.clear();
  if (code != ANEURALNETWORKS_NO_ERROR) duration_ = UINT64_MAX;
  state_ = State::kDone;
}

void Execution::SpoilOutputs() {
  for (const Argument& output : outputs_)
    if (output.memory && output.memory->desc()) output.memory->desc()->Spoil();
}

HostTensor Execution::Fetch(const Argument& argument, const OperandType& operand) const {
  HostTensor tensor;
  tensor.dims = argument.dims;
  tensor.left_out = argument.left_out;
  if (argument.left_out) return tensor;
  OperandType type = operand;
  if (!argument.memory) {
    type.dims = tensor.dims;
    tensor.data = argument.buffer;
    tensor.bytes = ByteSize(type);
    return tensor;
  }
  std::vector<uint8_t> bytes;
  if (const DescMemory* desc = argument.memory->desc()) {
    Dims dims;
    bytes = desc->Contents(&dims);
    for (size_t i = 0; i < argument.dims.size(); ++i)
      if (argument.dims.size() != dims.size() ||
          (argument.dims[i] != 0 && argument.dims[i] != dims[i]))
        Fail(ANEURALNETWORKS_OP_FAILED, "the memory holds other dimensions than the input has");
    tensor.dims = dims;
  } else {
    type.dims = tensor.dims;
    bytes = argument.memory->Read(argument.offset, ByteSize(type));
  }
  tensor.bytes = bytes.size();
  bytes.push_back(0);  // never null
  tensor.own = std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
  tensor.data = tensor.own->data();
  return tensor;
}

void Execution::Deliver(size_t index, const HostResult& result) {
  const Argument& argument = outputs_[index];
  Shape& shape = shapes_[index];
  shape.dims = result.dims;
  for (size_t i = 0; i < argument.dims.size(); ++i)
    if (argument.dims.size() != result.dims.size() ||
        (argument.dims[i] != 0 && argument.dims[i] != result.dims[i]))
      Fail(ANEURALNETWORKS_OP_FAILED, "output ", index, " has other dimensions than were given");
  if (argument.left_out) return;
  if (!argument.memory) {
    shape.insufficient = result.own != nullptr;
    return;
  }
  const uint8_t* bytes = result.own->data();
  if (DescMemory* desc = argument.memory->desc())
    return desc->SetContents(result.dims, std::vector<uint8_t>(bytes, bytes + result.bytes));
  shape.insufficient = result.bytes > argument.length;
  if (!shape.insufficient) argument.memory->Write(argument.offset, bytes, result.bytes);
}

void Execution::Run(uint64_t timeout) {
  const Model& model = compilation_->model();
  const Clock::time_point begin = Clock::now();
  Limits limits;
  // Longer ones are as good as none, and would overflow the clock.
  constexpr uint64_t kLongest = uint64_t{1} << 60;
  if (timeout != 0 && timeout < kLongest)
    limits.deadline = begin + std::chrono::nanoseconds(timeout);
  limits.loop = std::chrono::nanoseconds(loop_timeout_);
  shapes_.assign(outputs_.size(), {});
  std::vector<HostTensor> inputs;
  for (size_t i = 0; i < inputs_.size(); ++i)
    inputs.push_back(Fetch(inputs_[i], model.operands()[model.inputs()[i]].type));
  std::list<HostResult> results;
  std::vector<HostResult*> places;
  for (const Argument& output : outputs_) {
    HostResult& result = results.emplace_back();
    if (!output.memory) {
      result.buffer = output.buffer;
      result.capacity = output.length;
    }
    places.push_back(&result);
  }
  compilation_->network().Run(inputs, places, limits);
  for (size_t i = 0; i < places.size(); ++i) Deliver(i, *places[i]);
  limits.Check();
  duration_ = static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count());
  for (const Shape& shape : shapes_)
    if (shape.insufficient)
      Fail(ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE, "the buffer of an output is too short");
}

// -- Results.

uint64_t Execution::Duration(int32_t code) const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (code < ANEURALNETWORKS_DURATION_ON_HARDWARE ||
      code > ANEURALNETWORKS_DURATION_IN_DRIVER_FENCED)
    FailData("there is no duration ", code);
  if (state_ != State::kDone) FailState("the execution was not computed");
  return measure_ ? duration_ : UINT64_MAX;
}

int Execution::OutputShape(int32_t index, Dims* dims) const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (state_ != State::kDone) FailState("the execution was not computed");
  if (index < 0 || static_cast<size_t>(index) >= outputs_.size())
    FailData("there is no output ", index);
  if (shapes_.empty()) FailState("the computation failed");
  const Shape& shape = shapes_[static_cast<size_t>(index)];
  *dims = shape.dims;
  return shape.insufficient ? ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE : ANEURALNETWORKS_NO_ERROR;
}

}  // namespace nnadapter::nnapi
