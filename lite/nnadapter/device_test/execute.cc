#include "lite/nnadapter/device_test/execute.h"

#include <dlfcn.h>

#include <algorithm>

#include "lite/nnadapter/device_test/bench.h"
#include "lite/nnadapter/device_test/elements.h"

namespace device_test {
namespace {

// What an output holds before the device writes.
constexpr uint8_t kUnwritten = 0xA5;
constexpr uint64_t kLargestOutput = uint64_t{1} << 28;

void Check(const char* function, int code) {
  if (code) throw ApiError(function, code);
}

// Lets drivers write to the memory that is looked at; another libnnadapter.so always does.
void LendMemory() {
  const auto lend = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "NNAdapter_lendMemory"));
  if (lend) Check("NNAdapter_lendMemory", lend());
}

}  // namespace

Execution::Execution(const Model& model, NNAdapterContext* context) {
  for (const int32_t precision : model.OutputPrecisions())
    outputs_.emplace_back().found.precision = precision;
  for (const Operand& operand : model.given().operands)
    if (operand.role == Role::kInput) inputs_.push_back({&operand, operand.bytes});
  for (Input& input : inputs_) input.bytes.resize(std::max<size_t>(1, input.bytes.size()));
  LendMemory();
  try {
    Create(model, context);
  } catch (...) {
    Destroy();
    throw;
  }
}

Execution::~Execution() { Destroy(); }

void Execution::Create(const Model& model, NNAdapterContext* context) {
  Check("NNAdapterCompilation_create",
        NNAdapterCompilation_create(model.handle(), "", nullptr, 0, "", context, &compilation_));
  Check("NNAdapterCompilation_finish", NNAdapterCompilation_finish(compilation_));
  Check("NNAdapterExecution_create", NNAdapterExecution_create(compilation_, &execution_));
  for (size_t i = 0; i < inputs_.size(); ++i)
    Check("NNAdapterExecution_setInput",
          NNAdapterExecution_setInput(execution_, static_cast<int32_t>(i), &inputs_[i], Read));
  for (size_t i = 0; i < outputs_.size(); ++i)
    Check("NNAdapterExecution_setOutput",
          NNAdapterExecution_setOutput(execution_, static_cast<int32_t>(i), &outputs_[i], Write));
}

void Execution::Destroy() {
  if (execution_) NNAdapterExecution_destroy(execution_);
  if (compilation_) NNAdapterCompilation_destroy(compilation_);
}

void* Execution::Read(void* memory, NNAdapterOperandType* type, void*) {
  auto* input = static_cast<Input*>(memory);
  const std::vector<int32_t>& dims = input->operand->dims;
  type->dimensions.count = static_cast<uint32_t>(dims.size());
  type->dimensions.dynamic_count = 0;
  std::copy(dims.begin(), dims.end(), type->dimensions.data);
  return input->bytes.data();
}

void* Execution::Write(void* memory, NNAdapterOperandType* type, void*) {
  auto* output = static_cast<Output*>(memory);
  Found& found = output->found;
  const NNAdapterOperandDimensionType& given = type->dimensions;
  const uint32_t rank = std::min<uint32_t>(given.count, NNADAPTER_MAX_SIZE_OF_DIMENSIONS);
  const std::vector<int32_t> dims(given.data, given.data + rank);
  const auto count = ElementCount(dims);
  if (given.count != rank || !count || *count > kLargestOutput) {
    output->error = "the device gave an output the shape " + DimsText(dims);
    return nullptr;
  }
  if (!output->asked || dims != found.dims) {
    output->asked = true;
    found.dims = dims;
    found.bytes.assign(std::max<size_t>(1, *count * ElementSize(found.precision)), kUnwritten);
  }
  return found.bytes.data();
}

std::vector<Found> Execution::Run() {
  for (Output& output : outputs_) {
    std::fill(output.found.bytes.begin(), output.found.bytes.end(), kUnwritten);
    output.error.clear();
  }
  const int code = NNAdapterExecution_compute(execution_);
  std::vector<Found> results;
  for (const Output& output : outputs_) {
    if (!output.error.empty()) throw std::runtime_error(output.error);
    if (!code && !output.asked) throw std::runtime_error("the device did not ask for an output");
    results.push_back(output.found);
  }
  Check("NNAdapterExecution_compute", code);
  return results;
}

std::string Execution::ChangedInputs() const {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const std::vector<uint8_t>& given = inputs_[i].operand->bytes;
    if (!std::equal(given.begin(), given.end(), inputs_[i].bytes.begin()))
      return "it wrote to its input " + std::to_string(i);
  }
  return "";
}

}  // namespace device_test
