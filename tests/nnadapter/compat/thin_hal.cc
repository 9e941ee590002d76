// A HAL as it is linked against Paddle Lite's own libnnadapter.so: helpers, text, passes and
// logging are declared here and defined elsewhere. It computes with the tests' reference.
#include <cstdlib>
#include <map>

#include "../hal/reference.h"
#include "nnadapter/driver/device.h"

namespace nnadapter {
std::string Visualize(core::Model* model);
std::string OperandToString(core::Operand* operand);
std::string OperationTypeToString(NNAdapterOperationType type);
std::string AutoPadCodeToString(NNAdapterAutoPadCode code);
std::string string_format(const std::string format, ...);
std::map<std::string, std::string> GetKeyValues(const char* properties,
                                                const std::string& delimiter,
                                                const std::string& assignment);
bool GetBoolFromEnv(const std::string& name, bool absent);
bool IsConstantOperand(core::Operand* operand);
int64_t GetOperandTypeBufferLength(const NNAdapterOperandType& type);
bool MatchDimensions(const int32_t* a, uint32_t a_count, const int32_t* b, uint32_t b_count);
std::vector<core::Operation*> GetOperandConsumers(core::Model* model, core::Operand* operand);
std::vector<core::Operation*> SortOperationsInTopologicalOrder(core::Model* model);
core::Operand* AppendDummyAddOperation(core::Model* model, core::Operand* input);
bool UpdateModelOutputOperands(core::Model* model, core::Operand* from, core::Operand* to);
bool SerializeModel(core::Model* model, std::vector<uint8_t>* buffer);
bool DeserializeModel(void* buffer, uint64_t size, core::Model** model);
void ClearModel(core::Model* model);
void FuseConv2DBatchNormIntoConv2D(core::Model* model, double max_scale_deviation);
void FuseConv2DAddIntoConv2D(core::Model* model);
void FuseConv2DActivationIntoConv2D(core::Model* model);
void FuseMatMulAddIntoFullyConnected(core::Model* model, bool restrict_2d_input);
namespace logging {
class LogMessage {
 public:
  LogMessage(const char* file, const char* function, int line, const char* level);
  ~LogMessage();
  std::ostream& stream() { return stream_; }

 protected:
  std::stringstream stream_;
  std::string level_;
};
class LogMessageFatal : public LogMessage {
 public:
  LogMessageFatal(const char* file, const char* function, int line)
      : LogMessage(file, function, line, "F") {}
  ~LogMessageFatal() noexcept(false);
};
class VLogMessage {
 public:
  VLogMessage(const char* file, const char* function, int line, const int32_t level);
  ~VLogMessage();
  std::ostream& stream() { return stream_; }

 protected:
  std::stringstream stream_;
  int32_t wanted_, level_;
};
}  // namespace logging
#ifdef THIN_ASKS_FOR_MORE
void PassOfAnotherRelease(core::Model* model);
#endif
}  // namespace nnadapter

namespace {

namespace core = nnadapter::core;

#define FATAL nnadapter::logging::LogMessageFatal(__FILE__, __FUNCTION__, __LINE__).stream()
#define VLOG(n) nnadapter::logging::VLogMessage(__FILE__, __FUNCTION__, __LINE__, n).stream()

struct Program {
  core::Model* model;
  std::vector<NNAdapterOperandDimensionType> inputs;
};

template <typename Body>
int Guarded(Body body) {
  try {
    return body();
  } catch (const std::exception&) {  // whatever the fatal line throws
    return NNADAPTER_DEVICE_INTERNAL_ERROR;
  }
}

int Open(void** device) {
  *device = std::malloc(1);
  return NNADAPTER_NO_ERROR;
}

int CreateContext(void*, const char* properties, int (*)(int, void*), void** context) {
  return Guarded([&] {
    const auto values = nnadapter::GetKeyValues(properties, ";", "=");
    if (values.count("THIN_FAIL")) FATAL << "told to fail: " << values.at("THIN_FAIL");
    *context = std::malloc(1);
    return NNADAPTER_NO_ERROR;
  });
}

void Optimise(core::Model* model) {
  nnadapter::FuseConv2DBatchNormIntoConv2D(model, -1);
  nnadapter::FuseConv2DAddIntoConv2D(model);
  nnadapter::FuseConv2DActivationIntoConv2D(model);
  nnadapter::FuseMatMulAddIntoFullyConnected(model, true);
  VLOG(5) << nnadapter::Visualize(model);
#ifdef THIN_ASKS_FOR_MORE
  nnadapter::PassOfAnotherRelease(model);
#endif
  for (core::Operation* operation : nnadapter::SortOperationsInTopologicalOrder(model)) {
    const std::string name = nnadapter::OperationTypeToString(operation->type);
    VLOG(5) << nnadapter::string_format("%s: %zu inputs", name.c_str(),
                                        operation->input_operands.size());
    for (core::Operand* operand : operation->input_operands) {
      VLOG(5) << nnadapter::OperandToString(operand);
      if (operand && nnadapter::IsConstantOperand(operand) &&
          nnadapter::GetOperandTypeBufferLength(operand->type) > operand->length)
        FATAL << name << ": a constant is too short";
    }
    if (operation->type == NNADAPTER_BATCH_NORMALIZATION || operation->type == NNADAPTER_MAT_MUL)
      FATAL << name << " was not fused";
  }
}

int CreateProgram(void*, core::Model* model, core::Cache* cache, void** program) {
  return Guarded([&] {
    if (model) {
      core::Operand* output = model->output_operands.at(0);
      if (nnadapter::GetBoolFromEnv("THIN_DUMMY_ADD", false) &&
          nnadapter::GetOperandConsumers(model, output).empty())
        nnadapter::UpdateModelOutputOperands(model, output,
                                             nnadapter::AppendDummyAddOperation(model, output));
      Optimise(model);
      if (!nnadapter::SerializeModel(model, &cache->buffer)) FATAL << "not serialised";
    }
    auto* made = new Program{};
    *program = made;
    if (!nnadapter::DeserializeModel(cache->buffer.data(), cache->buffer.size(), &made->model))
      FATAL << "the cache is damaged";
    for (core::Operand* input : made->model->input_operands)
      made->inputs.push_back(input->type.dimensions);
    return +NNADAPTER_NO_ERROR;
  });
}

void DestroyProgram(void* program) {
  auto* made = static_cast<Program*>(program);
  nnadapter::ClearModel(made->model);
  delete made->model;
  delete made;
}

int Execute(void* program, uint32_t input_count, core::Argument* inputs, uint32_t output_count,
            core::Argument* outputs) {
  return Guarded([&]() -> int {
    const auto* made = static_cast<Program*>(program);
    std::vector<reference::Value> values(input_count);
    for (uint32_t i = 0; i < input_count; ++i) {
      NNAdapterOperandType type{};
      const auto* data = static_cast<const float*>(inputs[i].access(inputs[i].memory, &type, 0));
      const NNAdapterOperandDimensionType& wanted = made->inputs[inputs[i].index];
      if (!nnadapter::MatchDimensions(type.dimensions.data, type.dimensions.count, wanted.data,
                                      wanted.count))
        return NNADAPTER_INVALID_DIMENSIONS;
      reference::Value& value = values[inputs[i].index];
      value.dims.assign(wanted.data, wanted.data + wanted.count);
      value.data.assign(data, data + reference::Size(value.dims));
    }
    const std::vector<reference::Value> results = reference::Run(*made->model, values);
    for (uint32_t i = 0; i < output_count; ++i) {
      const reference::Value& result = results[outputs[i].index];
      NNAdapterOperandType type = made->model->output_operands[outputs[i].index]->type;
      auto* to = static_cast<float*>(outputs[i].access(outputs[i].memory, &type, nullptr));
      std::copy(result.data.begin(), result.data.end(), to);
    }
    return NNADAPTER_NO_ERROR;
  });
}

}  // namespace

extern "C" {
__attribute__((visibility("default"))) nnadapter::driver::Device NNADAPTER_AS_SYM2(THIN_NAME) = {
    THIN_TEXT, "Test",        NNADAPTER_ACCELERATOR, 1,
    Open,      std::free,     CreateContext,         std::free,
    nullptr,   CreateProgram, DestroyProgram,        Execute};
}
