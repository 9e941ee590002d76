// A driver that treats its model, its inputs and its cache as public drivers do, made of the
// structs alone. -DDEVICE=<name>; the property FOREIGN=<word>,... and -DFOREIGN=<words> say what it
// does:
//   transpose  constant matrices of MAT_MUL are transposed where they stand
//   asymmetric int8 becomes uint8 with a zero point, in the caller's buffers as well
//   late       the cache is filled at the end of the first execution
//   late_fails, save_fails   so is a file, which fails; create_program fails to save
//   mutate     operands and operations of the model come and go
//   segv_<callback>          a null pointer is written to there
//   hang_<callback>          it does not come back
// It has no validate_program unless -DVALIDATE; it computes MAT_MUL of matrices, ADD and MUL of one
// shape or one number, and RELU.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

#include "../abi/layout.h"

#ifndef FOREIGN
#define FOREIGN
#endif
#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)
#define SYMBOL2(x) __nnadapter_device__##x
#define SYMBOL(x) SYMBOL2(x)

namespace {

constexpr int kAdd = 3, kMatMul = 47, kMul = 52, kRelu = 65;
constexpr int kFloat = 10, kInt8 = 24, kUint8 = 26;
constexpr int kZero = 128;

std::set<std::string> Words(const std::string& text) {
  std::set<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) words.insert(word);
  return words;
}

struct Context {
  std::set<std::string> does;
};

void MayCrash(const Context& context, const char* callback) {
  if (context.does.count(std::string("segv_") + callback)) *static_cast<volatile int*>(nullptr) = 1;
  while (context.does.count(std::string("hang_") + callback)) usleep(1000);
}

struct Step {
  int type, a, b, output;
};
struct Program {
  Context context;
  std::vector<Step> steps;
  std::map<int, std::vector<float>> constants;
  std::map<int, std::vector<int>> dims;  // of constants
  std::vector<int> inputs, outputs;
  std::vector<Type> input_types, output_types;
  Cache* cache = nullptr;  // filled later
};

template <typename T>
void Put(std::vector<uint8_t>* to, const std::vector<T>& values) {
  const uint64_t count = values.size();
  to->insert(to->end(), reinterpret_cast<const uint8_t*>(&count),
             reinterpret_cast<const uint8_t*>(&count + 1));
  const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
  to->insert(to->end(), bytes, bytes + count * sizeof(T));
}

template <typename T>
std::vector<T> Get(const std::vector<uint8_t>& from, size_t* at) {
  uint64_t count;
  std::memcpy(&count, &from.at(*at + 7) - 7, 8);
  *at += 8;
  std::vector<T> values(count);
  if (count) std::memcpy(values.data(), &from.at(*at), count * sizeof(T));
  *at += count * sizeof(T);
  return values;
}

std::vector<uint8_t> Save(const Program& program) {
  std::vector<uint8_t> bytes;
  Put(&bytes, program.steps);
  Put(&bytes, program.inputs);
  Put(&bytes, program.outputs);
  std::vector<int> ids;
  for (const auto& entry : program.constants) ids.push_back(entry.first);
  Put(&bytes, ids);
  for (int id : ids) {
    Put(&bytes, program.constants.at(id));
    Put(&bytes, program.dims.at(id));
  }
  return bytes;
}

void Load(const Cache& cache, Program* program) {
  size_t at = 0;
  program->steps = Get<Step>(cache.buffer, &at);
  program->inputs = Get<int>(cache.buffer, &at);
  program->outputs = Get<int>(cache.buffer, &at);
  for (int id : Get<int>(cache.buffer, &at)) {
    program->constants[id] = Get<float>(cache.buffer, &at);
    program->dims[id] = Get<int>(cache.buffer, &at);
  }
  program->input_types = cache.input_types;
  program->output_types = cache.output_types;
}

void Transpose(Operand* matrix) {
  int32_t* dims = matrix->type.dimensions.data;
  auto* values = static_cast<float*>(matrix->buffer);
  const std::vector<float> old(values, values + dims[0] * dims[1]);
  for (int i = 0; i < dims[0]; ++i)
    for (int j = 0; j < dims[1]; ++j) values[j * dims[0] + i] = old[i * dims[1] + j];
  std::swap(dims[0], dims[1]);
}

void Mutate(Model* model) {
  for (Operand& operand : model->operands) {
    if (operand.type.lifetime != 2) continue;
    std::free(operand.buffer);
    operand.buffer = std::malloc(8);
    operand.length = 8;
  }
  for (int i = 0; i < 3; ++i) {
    model->operands.emplace_front();
    std::memset(static_cast<void*>(&model->operands.front()), 0, sizeof(Operand));
    model->operands.front().type.lifetime = 2;
    model->operands.front().buffer = std::malloc(8);
  }
  model->operations.pop_front();
  model->operations.emplace_back();
  model->operations.back().inputs.push_back(&model->operands.front());
  model->operations.clear();
  model->operations.emplace_back();
  model->outputs.push_back(&model->operands.back());
  model->outputs.pop_back();
}

void Build(Model* model, Program* program) {
  const std::set<std::string>& does = program->context.does;
  std::map<const Operand*, int> ids;
  const auto id = [&](const Operand* operand) {
    return ids.emplace(operand, static_cast<int>(ids.size())).first->second;
  };
  for (Operation& operation : model->operations) {
    if (does.count("transpose") && operation.type == kMatMul) Transpose(operation.inputs.at(1));
    if (operation.type != kMatMul && operation.type != kAdd && operation.type != kMul &&
        operation.type != kRelu)
      throw std::runtime_error("operation " + std::to_string(operation.type) + " is unknown");
    program->steps.push_back({operation.type, id(operation.inputs.at(0)),
                              operation.type == kRelu ? -1 : id(operation.inputs.at(1)),
                              id(operation.outputs.at(0))});
  }
  if (model->operations.size() != program->steps.size()) throw std::runtime_error("size()");
  for (Operand& operand : model->operands) {
    if (operand.type.lifetime == 2 && operand.type.precision == kFloat && ids.count(&operand)) {
      const auto* values = static_cast<const float*>(operand.buffer);
      program->constants[id(&operand)].assign(values, values + operand.length / 4);
      const Dimensions& dims = operand.type.dimensions;
      program->dims[id(&operand)].assign(dims.data, dims.data + dims.count);
    }
    if (does.count("asymmetric") && operand.type.precision == kInt8) {
      operand.type.precision = kUint8;
      operand.type.asymmetric.zero_point = kZero;
    }
  }
  for (const Operand* operand : model->inputs) {
    program->inputs.push_back(id(operand));
    program->input_types.push_back(operand->type);
  }
  for (const Operand* operand : model->outputs) {
    program->outputs.push_back(id(operand));
    program->output_types.push_back(operand->type);
  }
}

int OpenDevice(void** device) {
  *device = nullptr;
  return 0;
}
void CloseDevice(void*) {}

int CreateContext(void*, const char* properties, int (*)(int, void*), void** context) {
  const std::string text = properties ? properties : "";
  const size_t at = text.find("FOREIGN=");
  std::string words = TEXT(FOREIGN);
  if (at != std::string::npos) words += "," + text.substr(at + 8, text.find(';', at) - at - 8);
  auto* made = new Context{Words(words)};
  MayCrash(*made, "create_context");
  *context = made;
  return 0;
}
void DestroyContext(void* context) { delete static_cast<Context*>(context); }

[[maybe_unused]] int ValidateProgram(void* context, const Model* model, bool* supported) {
  MayCrash(*static_cast<Context*>(context), "validate_program");
  if (model->operations.size() !=
      size_t(std::distance(model->operations.begin(), model->operations.end())))
    return 5;
  for (const Operation& operation : model->operations)
    *supported++ = operation.type == kAdd || operation.type == kRelu;
  return 0;
}

int CreateProgram(void* context, Model* model, Cache* cache, void** program) {
  const Context& owner = *static_cast<Context*>(context);
  MayCrash(owner, "create_program");
  auto* made = new Program;
  made->context = owner;
  try {
    if (model) {
      Build(model, made);
      const bool wanted = cache->token && cache->dir;
      if (wanted && owner.does.count("save_fails")) throw std::runtime_error("cannot be saved");
      if (wanted && (owner.does.count("late") || owner.does.count("late_fails")))
        made->cache = cache;
      else if (wanted)
        cache->buffer = Save(*made);
      if (owner.does.count("mutate")) Mutate(model);
    } else {
      Load(*cache, made);
    }
  } catch (...) {
    delete made;
    throw;
  }
  *program = made;
  return 0;
}
void DestroyProgram(void* program) { delete static_cast<Program*>(program); }

struct Tensor {
  std::vector<int> dims;
  std::vector<float> values;
};

Tensor Compute(const Step& step, const Tensor& a, const Tensor& b, bool transposed) {
  Tensor result = a;
  if (step.type == kMatMul) {
    const int rows = a.dims[0], depth = a.dims[1], columns = b.dims[transposed ? 0 : 1];
    result.dims[1] = columns;
    result.values.assign(rows * columns, 0);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
        for (int k = 0; k < depth; ++k)
          result.values[i * columns + j] +=
              a.values.at(i * depth + k) *
              b.values.at(transposed ? j * depth + k : k * columns + j);
    return result;
  }
  for (size_t i = 0; i < result.values.size(); ++i) {
    float& value = result.values[i];
    const float with = b.values.empty() ? 0 : b.values[i % b.values.size()];
    value = step.type == kAdd   ? value + with
            : step.type == kMul ? value * with
                                : std::max(value, 0.f);
  }
  return result;
}

int ExecuteProgram(void* opaque, uint32_t input_count, Argument* inputs, uint32_t output_count,
                   Argument* outputs) {
  auto* program = static_cast<Program*>(opaque);
  MayCrash(program->context, "execute_program");
  std::map<int, Tensor> tensors;
  for (const auto& entry : program->constants)
    tensors[entry.first] = {program->dims.at(entry.first), entry.second};
  for (uint32_t i = 0; i < input_count; ++i) {
    const Argument& input = inputs[i];
    Type type;
    std::memset(static_cast<void*>(&type), 0x5a, sizeof(type));
    input.access(input.memory, &type, nullptr);
    void* data = input.access(input.memory, &type, nullptr);
    Tensor tensor;
    tensor.dims.assign(type.dimensions.data, type.dimensions.data + type.dimensions.count);
    size_t count = 1;
    for (int dim : tensor.dims) count *= dim;
    if (program->input_types.at(input.index).precision == kUint8) {
      auto* levels = static_cast<uint8_t*>(data);
      for (size_t k = 0; k < count; ++k) {
        levels[k] = static_cast<uint8_t>(static_cast<int8_t>(levels[k]) + kZero);
        tensor.values.push_back(float(levels[k]) - kZero);
      }
    } else {
      tensor.values.assign(static_cast<float*>(data), static_cast<float*>(data) + count);
    }
    tensors[program->inputs.at(input.index)] = tensor;
  }
  for (const Step& step : program->steps)
    tensors[step.output] = Compute(step, tensors.at(step.a), tensors[step.b],
                                   program->context.does.count("transpose") != 0);
  for (uint32_t i = 0; i < output_count; ++i) {
    const Tensor& tensor = tensors.at(program->outputs.at(outputs[i].index));
    Type type = program->output_types.at(outputs[i].index);
    type.dimensions.count = tensor.dims.size();
    std::copy(tensor.dims.begin(), tensor.dims.end(), type.dimensions.data);
    void* to = outputs[i].access(outputs[i].memory, &type, nullptr);
    if (type.precision == kUint8)
      for (float value : tensor.values) {
        *static_cast<int8_t*>(to) = static_cast<int8_t>(value);
        to = static_cast<int8_t*>(to) + 1;
      }
    else
      std::memcpy(to, tensor.values.data(), tensor.values.size() * 4);
  }
  if (program->cache) {
    Cache* cache = program->cache;
    program->cache = nullptr;
    if (program->context.does.count("late_fails")) throw std::runtime_error("no file");
    cache->buffer = Save(*program);
  }
  return 0;
}

}  // namespace

extern "C" {
__attribute__((visibility("default"))) Device SYMBOL(DEVICE) = {TEXT(DEVICE),
                                                                "Foreign",
                                                                2,
                                                                1,
                                                                OpenDevice,
                                                                CloseDevice,
                                                                CreateContext,
                                                                DestroyContext,
#ifdef VALIDATE
                                                                ValidateProgram,
#else
                                                                nullptr,
#endif
                                                                CreateProgram,
                                                                DestroyProgram,
                                                                ExecuteProgram};
}
