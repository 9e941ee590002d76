// A driver for tests of the runtime: adds, multiplies and clips float32 on the CPU, saves its
// programs, and misbehaves where the property <NAME>_FAULT asks it to. PROBE_NAME is its name;
// PROBE_ASKABLE 0 leaves validate_program out.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "nnadapter/driver/device.h"

#ifndef PROBE_NAME
#define PROBE_NAME probe
#endif
#ifndef PROBE_ASKABLE
#define PROBE_ASKABLE 1
#endif
#ifndef PROBE_VERSION
#define PROBE_VERSION NNADAPTER_VERSION
#endif
#define PROBE_TEXT2(name) #name
#define PROBE_TEXT(name) PROBE_TEXT2(name)

namespace {

using nnadapter::core::Argument;
using nnadapter::core::Cache;
using nnadapter::core::Model;
using nnadapter::core::Operand;
using nnadapter::core::Operation;

struct Context {
  std::string name;
  std::string fault;
  std::set<int> takes;  // empty: all
};

struct Step {
  int32_t type = 0;
  std::vector<int32_t> inputs;
  int32_t output = 0;
};

struct Program {
  Context context;
  std::vector<Step> steps;
  std::map<int32_t, std::vector<float>> constants;
  std::vector<int32_t> inputs, outputs;
  std::vector<NNAdapterOperandType> input_types, output_types;
  // Memory and type of the first run, by argument.
  std::map<const void*, std::pair<void*, NNAdapterOperandType>> bound;
  int runs = 0;
};

std::string Property(const char* properties, const std::string& key) {
  std::istringstream stream(properties);
  for (std::string pair; std::getline(stream, pair, ';');)
    if (pair.compare(0, key.size() + 1, key + "=") == 0) return pair.substr(key.size() + 1);
  return "";
}

// The faults that every callback can have.
int Fault(const std::string& fault, const std::string& callback) {
  if (fault == callback + "_throws") throw std::runtime_error("the probe's own trouble");
  if (fault == callback + "_throws_int") throw 42;
  if (fault == callback + "_5") return NNADAPTER_DEVICE_INTERNAL_ERROR;
  if (fault == callback + "_2") return NNADAPTER_INVALID_DIMENSIONS;
  if (fault == callback + "_99") return 99;
  if (fault == callback + "_-1") return -1;
  return NNADAPTER_NO_ERROR;
}

int OpenDevice(void** device) {
  static int open;
  *device = &open;
  const char* fault = std::getenv("PROBE_OPEN_FAULT");
  return Fault(fault ? fault : "", "open");
}

void CloseDevice(void*) {}

int CreateContext(void*, const char* properties, int (*callback)(int, void*), void** context) {
  auto made = std::make_unique<Context>();
  std::string name = PROBE_TEXT(PROBE_NAME);
  for (char& c : name) c = static_cast<char>(std::toupper(c));
  made->name = name;
  made->fault = Property(properties, name + "_FAULT");
  std::istringstream takes(Property(properties, name + "_TAKES"));
  for (std::string code; std::getline(takes, code, ',');) made->takes.insert(std::stoi(code));
  if (callback) callback(0x0100, nullptr);
  const int code = Fault(made->fault, "context");
  if (code == NNADAPTER_NO_ERROR) *context = made.release();
  return code;
}

void DestroyContext(void* context) {
  const bool throws = static_cast<Context*>(context)->fault == "destroy_throws";
  delete static_cast<Context*>(context);
  if (throws) throw std::runtime_error("the probe's own trouble");
}

[[maybe_unused]] int ValidateProgram(void* opaque, const Model* model, bool* supported) {
  auto* context = static_cast<Context*>(opaque);
  const int code = Fault(context->fault, "validate");
  if (code != NNADAPTER_NO_ERROR) return code;
  if (context->fault == "validate_6") return NNADAPTER_FEATURE_NOT_SUPPORTED;
  size_t index = 0;
  for (const Operation& operation : model->operations) {
    const bool takes = context->takes.empty() || context->takes.count(operation.type);
    std::memset(&supported[index++], takes ? (context->fault == "validate_7" ? 7 : 1) : 0, 1);
  }
  return NNADAPTER_NO_ERROR;
}

class Saver {
 public:
  template <typename T>
  void Add(const std::vector<T>& values) {
    Number(values.size());
    const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
    buffer.insert(buffer.end(), bytes, bytes + values.size() * sizeof(T));
  }
  void Number(uint64_t number) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&number);
    buffer.insert(buffer.end(), bytes, bytes + sizeof(number));
  }
  std::vector<uint8_t> buffer;
};

class Loader {
 public:
  explicit Loader(const std::vector<uint8_t>& buffer) : buffer_(buffer) {}
  uint64_t Number() {
    uint64_t number;
    Copy(&number, sizeof(number));
    return number;
  }
  template <typename T>
  std::vector<T> List() {
    const uint64_t count = Number();
    if (count > buffer_.size()) throw std::runtime_error("damaged");
    std::vector<T> values(count);
    Copy(values.data(), count * sizeof(T));
    return values;
  }

 private:
  void Copy(void* to, size_t size) {
    if (size > buffer_.size() - at_) throw std::runtime_error("damaged");
    if (size) std::memcpy(to, buffer_.data() + at_, size);
    at_ += size;
  }
  const std::vector<uint8_t>& buffer_;
  size_t at_ = 0;
};

void Save(const Program& program, std::vector<uint8_t>* buffer) {
  Saver saver;
  saver.Number(program.steps.size());
  for (const Step& step : program.steps) {
    saver.Number(static_cast<uint64_t>(step.type));
    saver.Add(step.inputs);
    saver.Number(static_cast<uint64_t>(step.output));
  }
  saver.Number(program.constants.size());
  for (const auto& [id, values] : program.constants) {
    saver.Number(static_cast<uint64_t>(id));
    saver.Add(values);
  }
  saver.Add(program.inputs);
  saver.Add(program.outputs);
  *buffer = saver.buffer;
}

void Load(const Cache& cache, Program* program) {
  Loader loader(cache.buffer);
  for (uint64_t count = loader.Number(); count > 0; --count) {
    Step step;
    step.type = static_cast<int32_t>(loader.Number());
    step.inputs = loader.List<int32_t>();
    step.output = static_cast<int32_t>(loader.Number());
    program->steps.push_back(step);
  }
  for (uint64_t count = loader.Number(); count > 0; --count) {
    const auto id = static_cast<int32_t>(loader.Number());
    program->constants[id] = loader.List<float>();
  }
  program->inputs = loader.List<int32_t>();
  program->outputs = loader.List<int32_t>();
  program->input_types = cache.input_types;
  program->output_types = cache.output_types;
  if (program->inputs.size() != cache.input_types.size() ||
      program->outputs.size() != cache.output_types.size()) {
    throw std::runtime_error("types that do not fit the program");
  }
}

void Build(const Model& model, Program* program) {
  std::map<const Operand*, int32_t> ids;
  for (const Operand& operand : model.operands) {
    const auto id = static_cast<int32_t>(ids.size());
    ids[&operand] = id;
    if (operand.buffer && operand.type.precision == NNADAPTER_FLOAT32) {
      const auto* values = static_cast<const float*>(operand.buffer);
      program->constants[id].assign(values, values + operand.length / sizeof(float));
    }
  }
  for (const Operation& operation : model.operations) {
    Step step;
    step.type = operation.type;
    for (const Operand* operand : operation.input_operands)
      step.inputs.push_back(operand ? ids.at(operand) : -1);
    step.output = ids.at(operation.output_operands.at(0));
    program->steps.push_back(step);
  }
  for (const Operand* operand : model.input_operands) {
    program->inputs.push_back(ids.at(operand));
    program->input_types.push_back(operand->type);
  }
  for (const Operand* operand : model.output_operands) {
    program->outputs.push_back(ids.at(operand));
    program->output_types.push_back(operand->type);
  }
}

// What optimising drivers do to a model: other values where they stand (batch norms folded into
// weights), other buffers, other types, other operations.
void Mutate(Model* model) {
  for (Operand& operand : model->operands) {
    if (operand.buffer) {
      std::memset(operand.buffer, 0x33, operand.length);
      void* other = std::malloc(operand.length);
      std::memset(other, 0x55, operand.length);
      if (operand.type.lifetime == NNADAPTER_CONSTANT_COPY) std::free(operand.buffer);
      operand.buffer = other;
      operand.type.lifetime = NNADAPTER_CONSTANT_COPY;
    }
    operand.type.layout = NNADAPTER_NHWC;
    operand.type.dimensions.data[0] = 77;
  }
  model->operations.clear();
}

int CreateProgram(void* opaque, Model* model, Cache* cache, void** program) {
  auto* context = static_cast<Context*>(opaque);
  const int code = Fault(context->fault, model ? "create" : "restore");
  if (code != NNADAPTER_NO_ERROR) return code;
  if (context->fault == "create_null") return NNADAPTER_NO_ERROR;
  auto* made = new Program;
  made->context = *context;
  try {
    if (model) {
      Build(*model, made);
      if (cache && cache->token && cache->dir && context->fault != "no_cache")
        Save(*made, &cache->buffer);
      Mutate(model);
    } else {
      Load(*cache, made);
    }
  } catch (...) {
    delete made;
    throw;
  }
  *program = made;
  return NNADAPTER_NO_ERROR;
}

void DestroyProgram(void* program) {
  const bool throws = static_cast<Program*>(program)->context.fault == "destroy_throws";
  delete static_cast<Program*>(program);
  if (throws) throw std::runtime_error("the probe's own trouble");
}

struct Tensor {
  std::vector<float> values;
  std::vector<int32_t> dims;
};

Tensor Compute(const Step& step, const std::map<int32_t, Tensor>& tensors) {
  Tensor result = tensors.at(step.inputs.at(0));
  if (step.type == NNADAPTER_RELU) {
    for (float& value : result.values) value = value > 0 ? value : 0;
    return result;
  }
  const Tensor& other = tensors.at(step.inputs.at(1));
  if (other.values.empty() && !result.values.empty()) throw std::runtime_error("no elements");
  if (other.dims.size() > result.dims.size()) result.dims = other.dims;
  if (other.values.size() > result.values.size()) {
    const float only = result.values.at(0);
    result = other;
    for (float& value : result.values) value = only;
  }
  for (size_t i = 0; i < result.values.size(); ++i) {
    const float with = other.values[i % other.values.size()];
    float& value = result.values[i];
    value = step.type == NNADAPTER_ADD   ? value + with
            : step.type == NNADAPTER_MUL ? value * with
                                         : std::fmax(value, with);
  }
  return result;
}

// An argument's memory: where the driver binds it once, that of the first run. With
// binds_once_asking it asks in each run nevertheless, as android_nnapi does.
void* MemoryOf(Program* program, const Argument& argument, NNAdapterOperandType* type) {
  const std::string& fault = program->context.fault;
  if (fault.compare(0, 10, "binds_once") != 0) {
    if (type->lifetime == NNADAPTER_MODEL_INPUT) argument.access(argument.memory, type, nullptr);
    return argument.access(argument.memory, type, nullptr);
  }
  const auto bound = program->bound.find(argument.memory);
  if (bound != program->bound.end()) {
    if (fault == "binds_once_asking") argument.access(argument.memory, type, nullptr);
    *type = bound->second.second;
    return bound->second.first;
  }
  void* memory = argument.access(argument.memory, type, nullptr);
  program->bound[argument.memory] = {memory, *type};
  return memory;
}

// Writes one output with the dimensions that the fault asks for.
int Deliver(Program* running, const Argument& argument, const Tensor& tensor) {
  const Program& program = *running;
  const std::string& fault = program.context.fault;
  NNAdapterOperandType type = program.output_types.at(argument.index);
  type.dimensions.count = static_cast<uint32_t>(tensor.dims.size());
  for (size_t i = 0; i < tensor.dims.size(); ++i) type.dimensions.data[i] = tensor.dims[i];
  if (fault == "dims_negative") type.dimensions.data[0] = -4;
  if (fault == "dims_unknown") type.dimensions.data[0] = NNADAPTER_UNKNOWN;
  if (fault == "dims_rank") type.dimensions.count = 900;
  if (fault == "dims_huge")
    for (int32_t& extent : type.dimensions.data) extent = 0x7fffffff;
  if (fault == "dims_huge") type.dimensions.count = 8;
  if (fault == "dims_null") argument.access(argument.memory, nullptr, nullptr);
  if (fault == "no_output") return NNADAPTER_NO_ERROR;
  if (fault == "forgets_later" && argument.index > 0 && running->runs > 1)
    return NNADAPTER_NO_ERROR;
  void* to = MemoryOf(running, argument, &type);
  if (!tensor.values.empty())
    std::memcpy(to, tensor.values.data(), tensor.values.size() * sizeof(float));
  return NNADAPTER_NO_ERROR;
}

int ExecuteProgram(void* opaque, uint32_t input_count, Argument* inputs, uint32_t output_count,
                   Argument* outputs) {
  auto& program = *static_cast<Program*>(opaque);
  const int code = Fault(program.context.fault, "execute");
  if (code != NNADAPTER_NO_ERROR) return code;
  ++program.runs;
  std::map<int32_t, Tensor> tensors;
  for (const auto& [id, values] : program.constants)
    tensors[id] = {values, {static_cast<int32_t>(values.size())}};
  for (uint32_t i = 0; i < input_count; ++i) {
    NNAdapterOperandType type = program.input_types.at(inputs[i].index);
    const auto* data = static_cast<const float*>(MemoryOf(&program, inputs[i], &type));
    Tensor tensor;
    size_t count = 1;
    for (uint32_t axis = 0; axis < type.dimensions.count; ++axis) {
      tensor.dims.push_back(type.dimensions.data[axis]);
      count *= static_cast<size_t>(type.dimensions.data[axis]);
    }
    if (program.context.fault == "batch_2" && tensor.dims.at(0) != 2)
      return NNADAPTER_INVALID_DIMENSIONS;
    if (count) tensor.values.assign(data, data + count);
    tensors[program.inputs.at(inputs[i].index)] = tensor;
  }
  for (const Step& step : program.steps) tensors[step.output] = Compute(step, tensors);
  for (uint32_t i = 0; i < output_count; ++i)
    Deliver(&program, outputs[i], tensors.at(program.outputs.at(outputs[i].index)));
  return NNADAPTER_NO_ERROR;
}

}  // namespace

extern "C" {
__attribute__((visibility("default"))) nnadapter::driver::Device NNADAPTER_AS_SYM2(PROBE_NAME) = {
    PROBE_TEXT(PROBE_NAME), "the tests",    NNADAPTER_ACCELERATOR,
    PROBE_VERSION,          OpenDevice,     CloseDevice,
    CreateContext,          DestroyContext,
#if PROBE_ASKABLE
    ValidateProgram,
#else
    nullptr,
#endif
    CreateProgram,          DestroyProgram, ExecuteProgram,
};
}  // extern "C"
