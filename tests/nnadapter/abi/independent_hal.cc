// A HAL library by somebody who has only the table of struct layouts: no header of this project.
// Compiled with -DDEVICE=<name> -DTAKES=<codes, comma separated> and perhaps -DNO_VALIDATE,
// -DVERSION=<n>. It computes ADD (same shapes), MUL (same shapes) and RELU on floats.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "layout.h"

#ifndef VERSION
#define VERSION 1
#endif

namespace {

constexpr int kAdd = 3, kMul = 52, kRelu = 65;
constexpr int kUnknown = -65535;
constexpr int kTakes[] = {TAKES};

// What happened, for the test: one line an event.
std::string journal;
void Note(const std::string& text) { journal += text + "\n"; }

struct Context {
  std::string properties;
  int (*callback)(int, void*);
};

// From "KEY=value;...": the value, or "".
std::string Property(const Context* context, const std::string& key) {
  const std::string text = ";" + context->properties + ";";
  const size_t at = text.find(";" + key + "=");
  if (at == std::string::npos) return "";
  const size_t start = at + key.size() + 2;
  return text.substr(start, text.find(';', start) - start);
}

// The misfortune that the properties ask for in a callback: VENDOR_FAIL=callback:code.
int Misfortune(const Context* context, const std::string& callback) {
  if (Property(context, "VENDOR_THROW") == callback) throw std::runtime_error("vendor trouble");
  if (Property(context, "VENDOR_THROW_INT") == callback) throw 42;
  const std::string fail = Property(context, "VENDOR_FAIL");
  if (fail.compare(0, callback.size() + 1, callback + ":") != 0) return 0;
  return std::atoi(fail.c_str() + callback.size() + 1);
}

struct Step {
  int32_t type;
  std::vector<int32_t> inputs;
  int32_t output;
};

struct Program {
  Context* context;
  std::vector<Step> steps;
  std::map<int32_t, std::vector<float>> constants;
  std::vector<int32_t> inputs, outputs;
  std::vector<Type> input_types;
};

void Put(std::vector<uint8_t>* to, const void* from, size_t size) {
  const auto* bytes = static_cast<const uint8_t*>(from);
  to->insert(to->end(), bytes, bytes + size);
}
template <typename T>
void PutAll(std::vector<uint8_t>* to, const std::vector<T>& values) {
  const uint32_t count = values.size();
  Put(to, &count, 4);
  Put(to, values.data(), count * sizeof(T));
}
template <typename T>
std::vector<T> GetAll(const std::vector<uint8_t>& from, size_t* at) {
  uint32_t count;
  if (*at + 4 > from.size()) throw std::runtime_error("short cache");
  std::memcpy(&count, &from[*at], 4);
  *at += 4;
  if (*at + count * sizeof(T) > from.size()) throw std::runtime_error("short cache");
  std::vector<T> values(count);
  std::memcpy(values.data(), from.data() + *at, count * sizeof(T));
  *at += count * sizeof(T);
  return values;
}

bool Takes(int type) {
  for (int taken : kTakes) {
    if (taken == type) return true;
  }
  return false;
}

int OpenDevice(void** device) {
  const char* code = std::getenv("VENDOR_OPEN_CODE");
  if (code) return std::atoi(code);
  Note("open");
  *device = new int(7);
  return 0;
}
void CloseDevice(void* device) { delete static_cast<int*>(device); }

int CreateContext(void* device, const char* properties, int (*callback)(int, void*),
                  void** context) {
  Note("create_context device=" + std::to_string(*static_cast<int*>(device)) +
       " properties=" + (properties ? properties : "(null)"));
  auto* made = new Context{properties ? properties : "", callback};
  try {
    const int code = Misfortune(made, "create_context");
    if (code) {
      delete made;
      return code;
    }
  } catch (...) {
    delete made;
    throw;
  }
  if (callback && Property(made, "VENDOR_EVENT") == "1") callback(0x0100, made);
  *context = made;
  return 0;
}
void DestroyContext(void* context) {
  Note("destroy_context");
  delete static_cast<Context*>(context);
}

[[maybe_unused]] int ValidateProgram(void* context, const Model* model, bool* supported) {
  Note("validate_program");
  const int code = Misfortune(static_cast<Context*>(context), "validate_program");
  if (code) return code;
  for (const Operation& operation : model->operations) *supported++ = Takes(operation.type);
  return 0;
}

void Describe(const char* what, const Operand* operand) {
  std::string text = std::string("  ") + what +
                     " precision=" + std::to_string(operand->type.precision) +
                     " lifetime=" + std::to_string(operand->type.lifetime) + " dims=";
  for (uint32_t i = 0; i < operand->type.dimensions.count; ++i)
    text += (i ? "," : "") + std::to_string(operand->type.dimensions.data[i]);
  text += " candidates=";
  for (uint32_t k = 0; k < operand->type.dimensions.dynamic_count; ++k) {
    text += k ? "|" : "";
    for (uint32_t i = 0; i < operand->type.dimensions.count; ++i)
      text += (i ? "," : "") + std::to_string(operand->type.dimensions.dynamic_data[k][i]);
  }
  Note(text + " length=" + std::to_string(operand->length));
}

void FromModel(Model* model, Program* program) {
  std::map<const Operand*, int32_t> ids;
  const auto id = [&](Operand* operand) {
    const auto [at, is_new] = ids.emplace(operand, static_cast<int32_t>(ids.size()));
    const bool constant = operand->type.lifetime == 2 || operand->type.lifetime == 3;
    if (is_new && constant && operand->type.precision == 10) {
      const auto* values = static_cast<const float*>(operand->buffer);
      program->constants[at->second].assign(values, values + operand->length / 4);
    }
    return at->second;
  };
  for (Operand* operand : model->inputs) {
    Describe("input", operand);
    program->inputs.push_back(id(operand));
    program->input_types.push_back(operand->type);
  }
  for (Operation& operation : model->operations) {
    Note("  operation " + std::to_string(operation.type));
    if (!Takes(operation.type)) throw std::runtime_error("an operation that was not taken");
    Step step{operation.type, {}, 0};
    const size_t tensors = operation.type == kRelu ? 1 : 2;
    for (size_t i = 0; i < tensors; ++i) {
      Describe("operand", operation.inputs.at(i));
      step.inputs.push_back(id(operation.inputs.at(i)));
    }
    step.output = id(operation.outputs.at(0));
    program->steps.push_back(step);
  }
  for (Operand* operand : model->outputs) {
    Describe("output", operand);
    program->outputs.push_back(id(operand));
  }
}

// As public drivers do: operands come and go, buffers are freed and made with malloc.
void Mutate(Model* model) {
  for (Operand& operand : model->operands) {
    if (operand.type.lifetime != 2) continue;
    void* other = std::malloc(operand.length);
    std::memset(other, 0x55, operand.length);
    std::free(operand.buffer);
    operand.buffer = other;
  }
  model->operands.emplace_back();
  Operand& added = model->operands.back();
  std::memset(static_cast<void*>(&added), 0, sizeof(added));
  added.type.lifetime = 2;
  added.buffer = std::malloc(16);
  added.length = 16;
  model->operations.clear();
}

int CreateProgram(void* context, Model* model, Cache* cache, void** program) {
  Note(std::string("create_program model=") + (model ? "1" : "0") +
       " cache=" + (cache ? std::to_string(cache->buffer.size() ? 1 : 0) : "(null)") +
       " token=" + (cache && cache->token ? cache->token : "(null)"));
  auto* owner = static_cast<Context*>(context);
  const int code = Misfortune(owner, "create_program");
  if (code) return code;
  if (Property(owner, "VENDOR_NO_PROGRAM") == "1") return 0;
  auto* made = new Program{owner, {}, {}, {}, {}, {}};
  try {
    if (cache && !cache->buffer.empty()) {
      size_t at = 0;
      made->inputs = GetAll<int32_t>(cache->buffer, &at);
      made->outputs = GetAll<int32_t>(cache->buffer, &at);
      for (int32_t type : GetAll<int32_t>(cache->buffer, &at)) {
        auto inputs = GetAll<int32_t>(cache->buffer, &at);
        made->steps.push_back({type, inputs, GetAll<int32_t>(cache->buffer, &at).at(0)});
      }
      for (int32_t id : GetAll<int32_t>(cache->buffer, &at))
        made->constants[id] = GetAll<float>(cache->buffer, &at);
      made->input_types = cache->input_types;
    } else {
      FromModel(model, made);
      if (cache && cache->token && cache->dir) {
        PutAll(&cache->buffer, made->inputs);
        PutAll(&cache->buffer, made->outputs);
        std::vector<int32_t> types, ids;
        for (const Step& step : made->steps) types.push_back(step.type);
        PutAll(&cache->buffer, types);
        for (const Step& step : made->steps) {
          PutAll(&cache->buffer, step.inputs);
          PutAll(&cache->buffer, std::vector<int32_t>{step.output});
        }
        for (const auto& [id, values] : made->constants) ids.push_back(id);
        PutAll(&cache->buffer, ids);
        for (const auto& [id, values] : made->constants) PutAll(&cache->buffer, values);
      }
      if (Property(owner, "VENDOR_MUTATE") == "1") Mutate(model);
    }
  } catch (...) {
    delete made;
    throw;
  }
  *program = made;
  return 0;
}
void DestroyProgram(void* program) {
  Note("destroy_program");
  delete static_cast<Program*>(program);
}

int Execute(Program* program, std::vector<Argument> inputs, std::vector<Argument> outputs) {
  std::map<int32_t, std::pair<std::vector<int32_t>, std::vector<float>>> values;
  for (const auto& [id, constant] : program->constants)
    values[id] = {{static_cast<int32_t>(constant.size())}, constant};
  for (const Argument& input : inputs) {
    Type type = program->input_types.at(input.index);
    const Dimensions declared = type.dimensions;
    input.access(input.memory, &type, nullptr);  // public drivers call it twice: check, then fetch
    bool fits = declared.count == type.dimensions.count, chosen = declared.dynamic_count == 0;
    for (uint32_t i = 0; fits && i < declared.count; ++i)
      fits = declared.data[i] == kUnknown || declared.data[i] == type.dimensions.data[i];
    for (uint32_t k = 0; fits && k < declared.dynamic_count; ++k)
      chosen = chosen ||
               !std::memcmp(declared.dynamic_data[k], type.dimensions.data, 4 * declared.count);
    if (!fits || !chosen) return 2;
    const auto* data = static_cast<const float*>(input.access(input.memory, &type, nullptr));
    size_t count = 1;
    std::vector<int32_t> dims;
    for (uint32_t i = 0; i < type.dimensions.count; ++i) {
      dims.push_back(type.dimensions.data[i]);
      count *= type.dimensions.data[i];
    }
    values[program->inputs.at(input.index)] = {dims, {data, data + count}};
  }
  for (const Step& step : program->steps) {
    auto result = values.at(step.inputs.at(0));
    for (size_t i = 0; i < result.second.size(); ++i) {
      float& v = result.second[i];
      if (step.type == kRelu) v = v > 0 ? v : 0;
      if (step.type == kAdd) v += values.at(step.inputs.at(1)).second.at(i);
      if (step.type == kMul) v *= values.at(step.inputs.at(1)).second.at(i);
    }
    values[step.output] = result;
  }
  const std::string garbage = Property(program->context, "VENDOR_GARBAGE");
  for (const Argument& output : outputs) {
    if (garbage == "unwritten") continue;
    const auto& [dims, data] = values.at(program->outputs.at(output.index));
    Type type{};
    type.precision = garbage == "precision" ? 11 : 10;
    if (Property(program->context, "VENDOR_TYPE") == "dimensions") type.precision = 0;
    type.dimensions.count = garbage == "rank" ? 77 : dims.size();
    for (size_t i = 0; i < dims.size(); ++i) type.dimensions.data[i] = dims[i];
    if (garbage == "scalar") type.dimensions.count = 0;
    if (garbage == "larger") type.dimensions.data[0] *= 2;
    if (garbage == "negative") type.dimensions.data[0] = -3;
    if (garbage == "huge")
      for (size_t i = 0; i < dims.size(); ++i) type.dimensions.data[i] = INT32_MAX;
    void* to = output.access(output.memory, garbage == "null" ? nullptr : &type, nullptr);
    if (!to) return 5;
    std::memcpy(to, data.data(), data.size() * 4);
  }
  return 0;
}

int ExecuteProgram(void* program, uint32_t input_count, Argument* inputs, uint32_t output_count,
                   Argument* outputs) {
  Note("execute_program");
  auto* object = static_cast<Program*>(program);
  const int code = Misfortune(object->context, "execute_program");
  if (code) return code;
  return Execute(object, {inputs, inputs + input_count}, {outputs, outputs + output_count});
}

}  // namespace

#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)
#define SYMBOL2(x) __nnadapter_device__##x
#define SYMBOL(x) SYMBOL2(x)

extern "C" {
__attribute__((visibility("default")))
Device SYMBOL(DEVICE) = {TEXT(DEVICE),  "Independent",  2,
                         VERSION,       OpenDevice,     CloseDevice,
                         CreateContext, DestroyContext,
#ifdef NO_VALIDATE
                         nullptr,
#else
                         ValidateProgram,
#endif
                         CreateProgram, DestroyProgram, ExecuteProgram};

// The journal since the last call.
__attribute__((visibility("default"))) const char* vendor_journal() {
  static std::string given;
  given.swap(journal);
  journal.clear();
  return given.c_str();
}
}
