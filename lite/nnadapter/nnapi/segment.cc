#include <algorithm>
#include <cstring>

#include "lite/nnadapter/nnapi/digest.h"
#include "lite/nnadapter/nnapi/network.h"
#include "lite/nnadapter/nnapi/stored.h"
#include "lite/nnadapter/nnapi/table.h"

namespace nnadapter::nnapi {
namespace {

constexpr size_t kKeptPrograms = 16;

std::string KeyOf(const std::vector<InputShape>& shapes) {
  std::string key;
  for (const InputShape& shape : shapes) {
    for (uint32_t extent : shape.dims) key += std::to_string(extent) + ",";
    if (shape.left_out) key += "-";
    if (shape.known) key.append(shape.known->begin(), shape.known->end());
    key += ";";
  }
  return key;
}

// Clients may give any address.
bool AlignedFor(const void* data, int32_t code) {
  return reinterpret_cast<uintptr_t>(data) % std::max<size_t>(ElementSize(code), 1) == 0;
}

// An input as NNAdapter fetches it.
struct InputArgument {
  std::vector<int32_t> dims;
  const void* data = nullptr;
  std::vector<uint8_t> converted;
};

void* FetchInput(void* memory, NNAdapterOperandType* type, void* device_buffer) {
  auto* input = static_cast<InputArgument*>(memory);
  if (device_buffer) *static_cast<bool*>(device_buffer) = false;
  if (type) {
    type->dimensions.count = static_cast<uint32_t>(input->dims.size());
    std::copy(input->dims.begin(), input->dims.end(), type->dimensions.data);
  }
  return const_cast<void*>(input->data);
}

// An output as NNAdapter writes it: straight to its place, or to be converted.
struct OutputArgument {
  OperandType type;
  HostResult* result = nullptr;
  std::vector<uint8_t> stored;
  bool failed = false, converted = false;

  void* Place(const NNAdapterOperandType& given) {
    if (IsTensor(type.code)) {
      type.dims.clear();
      for (uint32_t i = 0; i < given.dimensions.count; ++i)
        type.dims.push_back(static_cast<uint32_t>(given.dimensions.data[i]));
    }
    void* place = StoredAsIs(type.code) ? result->Place(type.dims, ByteSize(type)) : nullptr;
    if (place && AlignedFor(place, type.code)) return place;
    converted = true;
    stored.resize(ElementCount(type) * StoredSize(type.code) + 1);
    return stored.data();
  }
  void Convert() {
    if (!converted) return;
    FromStored(type, stored.data(), result->Place(type.dims, ByteSize(type)), ElementCount(type));
  }
};

void* PlaceOutput(void* memory, NNAdapterOperandType* type, void*) {
  auto* output = static_cast<OutputArgument*>(memory);
  try {
    return output->Place(*type);
  } catch (...) {
    output->failed = true;  // no exception may cross the runtime
    return nullptr;
  }
}

void CopyConstant(const OutputSource& source, HostResult* result) {
  uint8_t* place = result->Place(source.type.dims, ByteSize(source.type));
  FromStored(source.type, source.bytes.data(), place, ElementCount(source.type));
}

class ExecutionHandle {
 public:
  explicit ExecutionHandle(NNAdapterCompilation* compilation) {
    Require(NNAdapterExecution_create(compilation, &handle));
  }
  ~ExecutionHandle() { NNAdapterExecution_destroy(handle); }
  ExecutionHandle(const ExecutionHandle&) = delete;
  ExecutionHandle& operator=(const ExecutionHandle&) = delete;
  NNAdapterExecution* handle = nullptr;
};

}  // namespace

struct Segment::Program {
  explicit Program(Translated translated) : made(std::move(translated)) {}
  ~Program() {
    if (compilation) NNAdapterCompilation_destroy(compilation);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  std::string key;
  Translated made;  // outlives the compilation, which refers to its constants
  NNAdapterCompilation* compilation = nullptr;
};

Segment::Segment(std::shared_ptr<const Model> model, const Target& target, size_t number,
                 std::vector<size_t> operations, const std::set<uint32_t>& wanted)
    : model_(std::move(model)),
      target_(target),
      number_(number),
      operations_(std::move(operations)) {
  std::set<uint32_t> written, read;
  for (size_t i : operations_) {
    const Operation& operation = model_->operations()[i];
    for (uint32_t index : operation.inputs) {
      const Lifetime lifetime = model_->operands()[index].lifetime;
      if (lifetime == Lifetime::kConstant || lifetime == Lifetime::kLeftOut) continue;
      if (!written.count(index) && read.insert(index).second) inputs_.push_back(index);
    }
    written.insert(operation.outputs.begin(), operation.outputs.end());
  }
  for (uint32_t index : wanted)
    if (written.count(index)) outputs_.push_back(index);
}

std::vector<InputShape> Segment::ShapesOf(const std::vector<HostTensor>& inputs) const {
  std::vector<InputShape> shapes;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const HostTensor& input = inputs[i];
    InputShape shape{inputs_[i], input.dims, nullptr, input.left_out};
    if (needed_.count(inputs_[i]) && !input.left_out) {
      if (!input.data) throw NeedsValue{inputs_[i]};
      shape.known = std::make_shared<std::vector<uint8_t>>(input.data, input.data + input.bytes);
    }
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

std::shared_ptr<Segment::Program> Segment::Compile(const std::vector<InputShape>& shapes,
                                                   const std::string& key) {
  Translation translation(*model_, shapes);
  for (size_t i : operations_) {
    const Operation& operation = model_->operations()[i];
    try {
      translation.Convert(operation);
    } catch (const Refused& refused) {
      const OperationInfo* info = FindOperation(operation.code);
      FailData("operation ", model_->added_index()[i], ", ", info->name, ": ", refused.reason);
    }
  }
  std::shared_ptr<Program> program;
  try {
    program = std::make_shared<Program>(translation.Finish(outputs_));
  } catch (const Refused& refused) {
    FailData(refused.reason);
  }
  program->key = key;
  if (!program->made.model) return program;
  std::string token;
  if (!target_.cache.token.empty()) {
    Digest digest;
    digest.AddText(key);
    token = target_.cache.token + "_" + std::to_string(number_) + "_" + digest.Hex();
  }
  std::string reason;
  for (const Context* context : {target_.context.get(), target_.fallback.get()}) {
    if (!context) continue;
    Require(NNAdapterCompilation_create(program->made.model, token.c_str(), nullptr, 0,
                                        token.empty() ? "" : target_.cache.dir.c_str(),
                                        context->handle(), &program->compilation));
    if (NNAdapterCompilation_finish(program->compilation) == NNADAPTER_NO_ERROR) return program;
    if (reason.empty()) reason = NNAdapter_getLastErrorMessage();
    NNAdapterCompilation_destroy(program->compilation);
    program->compilation = nullptr;
  }
  FailData(reason);
}

std::shared_ptr<Segment::Program> Segment::ProgramFor(const std::vector<HostTensor>& inputs) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (;;) {
    const std::vector<InputShape> shapes = ShapesOf(inputs);
    const std::string key = KeyOf(shapes);
    const auto found = std::find_if(programs_.begin(), programs_.end(),
                                    [&](const auto& program) { return program->key == key; });
    if (found != programs_.end()) {
      programs_.splice(programs_.begin(), programs_, found);
      return programs_.front();
    }
    try {
      programs_.push_front(Compile(shapes, key));
    } catch (const NeedsValue& needs) {
      if (!needed_.insert(needs.operand).second) throw;
      continue;
    }
    if (programs_.size() > kKeptPrograms) programs_.pop_back();
    return programs_.front();
  }
}

void Segment::Prepare(const std::vector<HostTensor>& inputs, std::map<uint32_t, Dims>* shapes) {
  const std::shared_ptr<Program> program = ProgramFor(inputs);
  for (size_t i = 0; i < outputs_.size(); ++i)
    (*shapes)[outputs_[i]] = program->made.outputs[i].type.dims;
}

void Segment::Run(const std::vector<HostTensor>& inputs, const std::vector<HostResult*>& results) {
  std::shared_ptr<Program> program;
  try {
    program = ProgramFor(inputs);
  } catch (const NeedsValue& needs) {
    Fail(ANEURALNETWORKS_OP_FAILED, "operand ", needs.operand, " is left out and needed");
  } catch (const Error& error) {
    if (error.code() != ANEURALNETWORKS_BAD_DATA) throw;
    Fail(ANEURALNETWORKS_OP_FAILED, error.what());
  }
  Execute(program.get(), inputs, results);
}

void Segment::Execute(Program* program, const std::vector<HostTensor>& inputs,
                      const std::vector<HostResult*>& results) {
  const Translated& made = program->made;
  for (size_t i = 0; i < results.size(); ++i)
    if (made.outputs[i].index < 0) CopyConstant(made.outputs[i], results[i]);
  if (!program->compilation) return;
  ExecutionHandle execution(program->compilation);
  std::list<InputArgument> given;
  for (size_t i = 0; i < made.inputs.size(); ++i) {
    const HostTensor& tensor = inputs[made.inputs[i]];
    OperandType type = model_->operands()[inputs_[made.inputs[i]]].type;
    type.dims = tensor.dims;
    InputArgument& input = given.emplace_back();
    input.dims.assign(tensor.dims.begin(), tensor.dims.end());
    if (!IsTensor(type.code)) input.dims = {1};
    input.data = tensor.data;
    if (!StoredAsIs(type.code) || !AlignedFor(tensor.data, type.code)) {
      input.converted.resize(ElementCount(type) * StoredSize(type.code) + 1);
      ToStored(type, tensor.data, input.converted.data(), ElementCount(type));
      input.data = input.converted.data();
    }
    Require(
        NNAdapterExecution_setInput(execution.handle, static_cast<int32_t>(i), &input, FetchInput));
  }
  std::list<OutputArgument> places;
  for (size_t i = 0; i < results.size(); ++i) {
    if (made.outputs[i].index < 0) continue;
    OutputArgument& output = places.emplace_back();
    output.type = made.outputs[i].type;
    output.result = results[i];
    Require(NNAdapterExecution_setOutput(execution.handle, made.outputs[i].index, &output,
                                         PlaceOutput));
  }
  const int code = NNAdapterExecution_compute(execution.handle);
  for (const OutputArgument& output : places)
    if (output.failed) throw std::bad_alloc();
  Require(code);
  for (OutputArgument& output : places) output.Convert();
}

}  // namespace nnadapter::nnapi
