// A driver that insists on the forms that Paddle Lite's public drivers count on, and writes every
// model that it gets as a line of JSON to the file that PROBE_RECORD names. It computes
// nothing: its outputs are zeros. PROBE_NAME is its name; <NAME>_TAKES lists the codes that it
// takes, all if absent; PROBE_ASKABLE 0 leaves validate_program out.
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "nnadapter/driver/device.h"

#ifndef PROBE_ASKABLE
#define PROBE_ASKABLE 1
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
  std::set<int> takes;  // empty: all
};

struct Program {
  std::vector<NNAdapterOperandType> outputs;
};

thread_local std::string last_error;

std::string Property(const char* properties, const std::string& key) {
  std::istringstream stream(properties);
  for (std::string pair; std::getline(stream, pair, ';');)
    if (pair.compare(0, key.size() + 1, key + "=") == 0) return pair.substr(key.size() + 1);
  return "";
}

bool IsConstant(const Operand& operand) {
  return operand.type.lifetime == NNADAPTER_CONSTANT_COPY ||
         operand.type.lifetime == NNADAPTER_CONSTANT_REFERENCE;
}

// How many operands the public drivers count in an operation: inputs, of which the given ones may
// be null, and outputs, of which all but the first may.
struct Form {
  size_t inputs;
  std::set<size_t> optional;
  size_t outputs = 1;
};

const std::map<int, Form>& Forms() {
  static const std::map<int, Form> forms = {
      {NNADAPTER_CONV_2D, {9, {4}}},
      {NNADAPTER_CONV_2D_TRANSPOSE, {11, {4, 9}}},
      {NNADAPTER_MAX_POOL_2D, {9, {2}, 2}},
      {NNADAPTER_AVERAGE_POOL_2D, {8, {2}}},
      {NNADAPTER_ADAPTIVE_MAX_POOL_2D, {4, {}, 2}},
      {NNADAPTER_ADAPTIVE_AVERAGE_POOL_2D, {2, {}}},
      {NNADAPTER_BATCH_NORMALIZATION, {6, {}}},
      {NNADAPTER_ADD, {3, {}}},
      {NNADAPTER_MUL, {3, {}}},
      {NNADAPTER_MAT_MUL, {4, {}}},
      {NNADAPTER_RESIZE_NEAREST, {4, {1, 2}}},
      {NNADAPTER_RESIZE_LINEAR, {5, {1, 2}}},
      {NNADAPTER_SLICE, {5, {}}},
      {NNADAPTER_RESHAPE, {2, {}}},
      {NNADAPTER_TOP_K, {6, {}, 2}},
  };
  return forms;
}

std::string CountComplaint(const Operation& operation) {
  const auto found = Forms().find(operation.type);
  if (found == Forms().end()) return "";
  const Form& form = found->second;
  std::ostringstream text;
  if (operation.input_operands.size() != form.inputs)
    text << operation.input_operands.size() << " inputs, not " << form.inputs;
  else if (operation.output_operands.size() != form.outputs)
    text << operation.output_operands.size() << " outputs, not " << form.outputs;
  for (size_t i = 0; text.str().empty() && i < form.inputs; ++i)
    if (!operation.input_operands[i] && !form.optional.count(i))
      text << "input " << i << " is null";
  return text.str();
}

std::string Complaint(const Operation& operation) {
  const std::string counts = CountComplaint(operation);
  if (!counts.empty()) return counts;
  const Operand* first = operation.input_operands.at(0);
  if ((operation.type == NNADAPTER_UNSQUEEZE || operation.type == NNADAPTER_RESHAPE) &&
      IsConstant(*first))
    return "a constant that is reshaped";
  if (operation.type == NNADAPTER_ADD || operation.type == NNADAPTER_MUL) {
    const auto &dims = first->type.dimensions,
               &other = operation.input_operands[1]->type.dimensions;
    // A number, or the bias of a product.
    const bool fits =
        other.count == 1 && (other.data[0] == 1 || other.data[0] == dims.data[dims.count - 1]);
    if (!fits && other.count != dims.count) return "operands of two ranks";
  }
  if (operation.type == NNADAPTER_SLICE) {
    const auto* axes = static_cast<const int32_t*>(operation.input_operands[1]->buffer);
    const auto* ends = static_cast<const int32_t*>(operation.input_operands[3]->buffer);
    for (uint32_t i = 0; i < operation.input_operands[1]->length / sizeof(int32_t); ++i)
      if (ends[i] > first->type.dimensions.data[axes[i]]) return "an end beyond the dimension";
  }
  return "";
}

bool HasEqualScales(const NNAdapterOperandType& type) {
  if (type.precision != NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL &&
      type.precision != NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL)
    return false;
  const auto& params = type.symm_per_channel_params;
  for (uint32_t i = 1; i < params.scale_count; ++i)
    if (params.scales[i] != params.scales[0]) return false;
  return true;
}

std::string Complaint(const Model& model) {
  std::set<const Operand*> touched;
  for (const Operation& operation : model.operations) {
    const std::string text = Complaint(operation);
    if (!text.empty()) return "operation " + std::to_string(operation.type) + ": " + text;
    touched.insert(operation.input_operands.begin(), operation.input_operands.end());
    touched.insert(operation.output_operands.begin(), operation.output_operands.end());
  }
  for (const Operand& operand : model.operands) {
    if (!touched.count(&operand)) return "an operand that no operation touches";
    if (HasEqualScales(operand.type)) return "a scale for each channel, and all are equal";
    if (operand.type.lifetime == NNADAPTER_TEMPORARY_SHAPE) return "a shape that is no constant";
  }
  return "";
}

class Json {
 public:
  explicit Json(const Model& model) {
    for (const Operand& operand : model.operands) ids_.emplace(&operand, ids_.size());
    text_ << "{\"operations\": [";
    const char* comma = "";
    for (const Operation& operation : model.operations) {
      text_ << comma << "{\"type\": " << operation.type << ", \"inputs\": ";
      List(operation.input_operands);
      text_ << ", \"outputs\": ";
      List(operation.output_operands);
      text_ << "}";
      comma = ", ";
    }
    text_ << "], \"operands\": [";
    comma = "";
    for (const Operand& operand : model.operands) {
      text_ << comma;
      Describe(operand);
      comma = ", ";
    }
    text_ << "], \"inputs\": ";
    List(model.input_operands);
    text_ << ", \"outputs\": ";
    List(model.output_operands);
    text_ << "}";
  }
  std::string text() const { return text_.str(); }

 private:
  void List(const std::vector<Operand*>& operands) {
    text_ << "[";
    for (size_t i = 0; i < operands.size(); ++i) {
      text_ << (i ? ", " : "");
      if (operands[i])
        text_ << ids_.at(operands[i]);
      else
        text_ << "null";
    }
    text_ << "]";
  }

  void Describe(const Operand& operand) {
    text_ << "{\"precision\": " << operand.type.precision
          << ", \"lifetime\": " << operand.type.lifetime << ", \"dims\": [";
    for (uint32_t i = 0; i < operand.type.dimensions.count; ++i)
      text_ << (i ? ", " : "") << operand.type.dimensions.data[i];
    text_ << "], \"values\": ";
    const bool shown = IsConstant(operand) && operand.length <= 64;
    if (shown && operand.type.precision == NNADAPTER_INT32)
      Numbers<int32_t>(operand);
    else if (shown && operand.type.precision == NNADAPTER_INT64)
      Numbers<int64_t>(operand);
    else if (shown && operand.type.precision == NNADAPTER_FLOAT32)
      Numbers<float>(operand);
    else
      text_ << "null";
    text_ << "}";
  }

  template <typename T>
  void Numbers(const Operand& operand) {
    const auto* numbers = static_cast<const T*>(operand.buffer);
    text_ << "[";
    for (size_t i = 0; i < operand.length / sizeof(T); ++i) text_ << (i ? ", " : "") << numbers[i];
    text_ << "]";
  }

  std::map<const Operand*, size_t> ids_;
  std::ostringstream text_;
};

int OpenDevice(void** device) {
  static int open;
  *device = &open;
  return NNADAPTER_NO_ERROR;
}

void CloseDevice(void*) {}

int CreateContext(void*, const char* properties, int (*)(int, void*), void** context) {
  std::string name = PROBE_TEXT(PROBE_NAME);
  for (char& c : name) c = static_cast<char>(std::toupper(c));
  auto* made = new Context;
  std::istringstream takes(Property(properties, name + "_TAKES"));
  for (std::string code; std::getline(takes, code, ',');) made->takes.insert(std::stoi(code));
  *context = made;
  return NNADAPTER_NO_ERROR;
}

void DestroyContext(void* context) { delete static_cast<Context*>(context); }

[[maybe_unused]] int ValidateProgram(void* opaque, const Model* model, bool* supported) {
  const auto& takes = static_cast<Context*>(opaque)->takes;
  for (const Operation& operation : model->operations)
    *supported++ = takes.empty() || takes.count(operation.type);
  return NNADAPTER_NO_ERROR;
}

int CreateProgram(void*, Model* model, Cache*, void** program) {
  if (!model) return NNADAPTER_FEATURE_NOT_SUPPORTED;
  if (const char* record = std::getenv("PROBE_RECORD"))
    std::ofstream(record, std::ios::app) << Json(*model).text() << "\n";
  last_error = Complaint(*model);
  if (!last_error.empty()) return NNADAPTER_INVALID_PARAMETER;
  auto* made = new Program;
  for (const Operand* operand : model->output_operands) made->outputs.push_back(operand->type);
  *program = made;
  return NNADAPTER_NO_ERROR;
}

void DestroyProgram(void* program) { delete static_cast<Program*>(program); }

size_t Bytes(const NNAdapterOperandType& type) {
  size_t count = type.precision == NNADAPTER_FLOAT32 || type.precision == NNADAPTER_INT32 ? 4 : 1;
  if (type.precision == NNADAPTER_INT64) count = 8;
  for (uint32_t i = 0; i < type.dimensions.count; ++i) count *= type.dimensions.data[i];
  return count;
}

int ExecuteProgram(void* opaque, uint32_t, Argument*, uint32_t output_count, Argument* outputs) {
  const auto& program = *static_cast<Program*>(opaque);
  for (uint32_t i = 0; i < output_count; ++i) {
    NNAdapterOperandType type = program.outputs.at(outputs[i].index);
    for (int32_t& dim : type.dimensions.data)
      if (dim == NNADAPTER_UNKNOWN) dim = 1;
    void* to = outputs[i].access(outputs[i].memory, &type, nullptr);
    if (!to) return NNADAPTER_DEVICE_INTERNAL_ERROR;
    std::memset(to, 0, Bytes(type));
  }
  return NNADAPTER_NO_ERROR;
}

}  // namespace

extern "C" {
__attribute__((visibility("default"))) const char* __nnadapter_last_error__() {
  return last_error.c_str();
}
__attribute__((visibility("default"))) nnadapter::driver::Device NNADAPTER_AS_SYM2(PROBE_NAME) = {
    PROBE_TEXT(PROBE_NAME), "the tests",    NNADAPTER_ACCELERATOR,
    NNADAPTER_VERSION,      OpenDevice,     CloseDevice,
    CreateContext,          DestroyContext,
#if PROBE_ASKABLE
    ValidateProgram,
#else
    nullptr,
#endif
    CreateProgram,          DestroyProgram, ExecuteProgram,
};
}  // extern "C"
