#include "lite/nnadapter/driver/builtin_device/device.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "lite/core/runtime_program.h"
#include "lite/nnadapter/driver/builtin_device/lowering.h"
#include "lite/nnadapter/driver/builtin_device/support.h"
#include "lite/nnadapter/runtime/error.h"
#include "lite/nnadapter/runtime/operand_type.h"
#include "lite/nnadapter/runtime/refusal.h"
#include "nnadapter/hal/model_copy.h"
#include "nnadapter/hal/pass/fuse_conv_scale.h"

// The runtime guards every callback: what is thrown here becomes a code and a text there.
namespace nnadapter::builtin_device {
namespace {

using runtime::Error;

struct Context {
  int threads = 1;
};

struct Program {
  // Of a cache: constants of the graph may borrow its memory.
  std::unique_ptr<hal::ModelCopy> model;
  lite::Scope scope;
  std::unique_ptr<lite::RuntimeProgram> runtime;
  std::vector<NNAdapterOperandType> input_types, output_types;
  int threads = 1;
};

int ThreadsOf(const char* properties) {
  constexpr std::string_view kKey = "BUILTIN_DEVICE_NUM_THREADS";
  std::string text;
  const std::string all = properties == nullptr ? "" : properties;
  for (size_t begin = 0; begin < all.size();) {
    const size_t end = std::min(all.find(';', begin), all.size());
    const std::string pair = all.substr(begin, end - begin);
    const size_t equal = pair.find('=');
    if (equal != std::string::npos && pair.substr(0, equal) == kKey) text = pair.substr(equal + 1);
    begin = end + 1;
  }
  if (text.empty()) {
    const char* environment = std::getenv(kKey.data());
    if (environment == nullptr || *environment == '\0') return 1;
    text = environment;
  }
  char* end = nullptr;
  const long threads = std::strtol(text.c_str(), &end, 10);
  if (*end != '\0' || threads < 1 || threads > 256)
    throw Error(NNADAPTER_INVALID_PARAMETER,
                std::string(kKey) + " is '" + text + "', expected a number from 1 to 256");
  return static_cast<int>(threads);
}

int OpenDevice(void** device) {
  static char open;
  *device = &open;
  return NNADAPTER_NO_ERROR;
}

void CloseDevice(void*) {}

int CreateContext(void*, const char* properties, int (*)(int, void*), void** context) {
  auto made = std::make_unique<Context>();
  made->threads = ThreadsOf(properties);
  *context = made.release();
  return NNADAPTER_NO_ERROR;
}

void DestroyContext(void* context) { delete static_cast<Context*>(context); }

int ValidateProgram(void*, const core::Model* model, bool* supported) {
  size_t index = 0;
  for (const core::Operation& operation : model->operations) {
    const std::string refusal = RefusalOf(operation);
    supported[index] = refusal.empty();
    if (!refusal.empty()) runtime::NoteRefusal(index, refusal);
    ++index;
  }
  return NNADAPTER_NO_ERROR;
}

// The types that the runtime knows are those that the bytes of a cache must agree with.
void CheckTypes(const std::vector<core::Operand*>& operands,
                const std::vector<NNAdapterOperandType>& types) {
  bool same = operands.size() == types.size();
  for (size_t i = 0; same && i < operands.size(); ++i)
    same = operands[i] != nullptr &&
           runtime::PrecisionOf(operands[i]->type) == runtime::PrecisionOf(types[i]);
  if (!same) throw Error(NNADAPTER_INVALID_PARAMETER, "a cached model of other types");
}

int CreateProgram(void* context, core::Model* model, core::Cache* cache, void** program) {
  auto made = std::make_unique<Program>();
  made->threads = static_cast<Context*>(context)->threads;
  if (model == nullptr) {
    if (cache == nullptr || cache->buffer.empty()) return NNADAPTER_INVALID_PARAMETER;
    made->model = std::make_unique<hal::ModelCopy>(hal::ModelCopy::Load(cache->buffer));
    model = &made->model->model();
    // The bytes are not trusted: what the runtime checks of a new model is checked again.
    for (core::Operation& operation : model->operations) runtime::CheckAndInfer(&operation);
    CheckTypes(model->input_operands, cache->input_types);
    CheckTypes(model->output_operands, cache->output_types);
  } else if (cache != nullptr && (cache->token != nullptr || cache->dir != nullptr)) {
    cache->buffer = hal::ModelCopy(*model).Save();
  }
  // What the plan cannot fold: it has no weights to change.
  hal::FuseConvBatchNorm(model);
  while (hal::FuseConvAdd(model) + hal::FuseConvScale(model) > 0) {
  }
  for (const core::Operand* operand : model->input_operands)
    made->input_types.push_back(operand->type);
  for (const core::Operand* operand : model->output_operands)
    made->output_types.push_back(operand->type);
  made->runtime = std::make_unique<lite::RuntimeProgram>(GraphBuilder(*model).Run(), &made->scope);
  *program = made.release();
  return NNADAPTER_NO_ERROR;
}

void DestroyProgram(void* program) { delete static_cast<Program*>(program); }

// A program that was made for known dimensions may hold constants that were computed from them.
bool Fits(const NNAdapterOperandDimensionType& declared,
          const NNAdapterOperandDimensionType& given) {
  if (declared.count != given.count) return false;
  for (uint32_t i = 0; i < declared.count; ++i)
    if (declared.data[i] != NNADAPTER_UNKNOWN && declared.data[i] != given.data[i]) return false;
  return true;
}

int ExecuteProgram(void* opaque, uint32_t input_count, core::Argument* inputs,
                   uint32_t output_count, core::Argument* outputs) {
  auto& program = *static_cast<Program*>(opaque);
  if (input_count != program.input_types.size() || output_count != program.output_types.size())
    throw Error(NNADAPTER_INVALID_PARAMETER, "builtin_device: wrong number of arguments");
  std::vector<lite::Tensor> in(input_count), out(output_count);
  std::vector<lite::Tensor*> in_pointers(input_count), out_pointers(output_count);
  for (uint32_t i = 0; i < input_count; ++i) {
    const core::Argument& argument = inputs[i];
    const auto index = static_cast<size_t>(argument.index);
    NNAdapterOperandType type = program.input_types.at(index);
    void* data = argument.access(argument.memory, &type, nullptr);
    if (!Fits(program.input_types[index].dimensions, type.dimensions))
      return NNADAPTER_INVALID_DIMENSIONS;
    lite::TensorMeta meta;
    meta.dtype = StorageType(type.precision);
    for (uint32_t d = 0; d < type.dimensions.count; ++d)
      meta.dims.push_back(type.dimensions.data[d]);
    in[index].set_meta(meta);
    in[index].Bind(data, in[index].memory_size());
    in_pointers[index] = &in[index];
  }
  for (uint32_t i = 0; i < output_count; ++i) out_pointers[i] = &out[i];
  program.runtime->Run(in_pointers, out_pointers, program.threads);
  for (uint32_t i = 0; i < output_count; ++i) {
    const core::Argument& argument = outputs[i];
    const auto index = static_cast<size_t>(argument.index);
    NNAdapterOperandType type = program.output_types.at(index);
    const lite::Tensor& result = out[index];
    type.dimensions.count = static_cast<uint32_t>(result.dims().size());
    type.dimensions.dynamic_count = 0;
    std::copy(result.dims().begin(), result.dims().end(), type.dimensions.data);
    if (!runtime::IsQuantized(type.precision)) type.precision = PrecisionOf(result.dtype());
    void* to = argument.access(argument.memory, &type, nullptr);
    const size_t bytes = result.memory_size();
    if (bytes > 0) std::memcpy(to, result.raw_data(), bytes);
  }
  return NNADAPTER_NO_ERROR;
}

}  // namespace

const driver::Device* Get() {
  static const driver::Device device = {
      "builtin_device", "Paddle",      NNADAPTER_CPU,  NNADAPTER_VERSION,
      OpenDevice,       CloseDevice,   CreateContext,  DestroyContext,
      ValidateProgram,  CreateProgram, DestroyProgram, ExecuteProgram,
  };
  return &device;
}

}  // namespace nnadapter::builtin_device
