#include "lite/nnadapter/device_test/model.h"

#include <dlfcn.h>

#include <algorithm>

#include "lite/nnadapter/device_test/bench.h"
#include "lite/nnadapter/device_test/elements.h"

namespace device_test {
namespace {

void Check(const char* function, int code) {
  if (code) throw ApiError(function, code);
}

NNAdapterOperandType TypeOf(const Operand& operand) {
  NNAdapterOperandType type = {};
  type.precision = static_cast<NNAdapterOperandPrecisionCode>(operand.precision);
  type.layout = NNADAPTER_NCHW;
  type.dimensions.count = static_cast<uint32_t>(operand.dims.size());
  std::copy(operand.dims.begin(), operand.dims.end(), type.dimensions.data);
  switch (ScaleKindOf(operand.precision)) {
    case ScaleKind::kNone:
      break;
    case ScaleKind::kLayer:
      type.symm_per_layer_params.scale = operand.scales[0];
      break;
    case ScaleKind::kChannel:
      type.symm_per_channel_params = {static_cast<uint32_t>(operand.channel_dim),
                                      static_cast<uint32_t>(operand.scales.size()),
                                      operand.scales.data()};
      break;
    case ScaleKind::kAsymmetric:
      type.asymm_per_layer_params = {operand.scales[0], operand.zero_point};
      break;
  }
  return type;
}

// Another runtime may lack it.
std::string Refusal() {
  using Function = int (*)(uint32_t, const char**);
  const auto get = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "NNAdapterModel_getRefusal"));
  const char* text = nullptr;
  return get && get(0, &text) == NNADAPTER_NO_ERROR && text ? text : "";
}

}  // namespace

Model::Model(const Case& given) : given_(given) {
  Check("NNAdapterModel_create", NNAdapterModel_create(&model_));
  try {
    Build();
  } catch (...) {
    NNAdapterModel_destroy(model_);
    throw;
  }
}

void Model::Add(const Operand& operand) {
  const NNAdapterOperandType type = TypeOf(operand);
  NNAdapterOperand* added = nullptr;
  Check("NNAdapterModel_addOperand", NNAdapterModel_addOperand(model_, &type, &added));
  operands_.push_back(added);
  // A list without elements needs no value.
  if (operand.role != Role::kConstant || operand.bytes.empty()) return;
  void* bytes = const_cast<uint8_t*>(operand.bytes.data());
  const auto length = static_cast<uint32_t>(operand.bytes.size());
  Check("NNAdapterModel_setOperandValue",
        NNAdapterModel_setOperandValue(added, bytes, length, true));
}

void Model::Build() {
  for (const Operand& operand : given_.operands) Add(operand);
  std::vector<NNAdapterOperand*> inputs, outputs, variables;
  for (const int32_t index : given_.inputs)
    inputs.push_back(index < 0 ? nullptr : operands_[index]);
  for (const int32_t index : given_.outputs) outputs.push_back(operands_[index]);
  for (size_t i = 0; i < operands_.size(); ++i)
    if (given_.operands[i].role == Role::kInput) variables.push_back(operands_[i]);
  const auto count = [](const std::vector<NNAdapterOperand*>& of) {
    return static_cast<uint32_t>(of.size());
  };
  NNAdapterOperation* operation = nullptr;
  Check("NNAdapterModel_addOperation",
        NNAdapterModel_addOperation(model_, given_.type, count(inputs), inputs.data(),
                                    count(outputs), outputs.data(), &operation));
  Check("NNAdapterModel_identifyInputsAndOutputs",
        NNAdapterModel_identifyInputsAndOutputs(model_, count(variables), variables.data(),
                                                count(outputs), outputs.data()));
  Check("NNAdapterModel_finish", NNAdapterModel_finish(model_));
}

Model::Answer Model::Ask(NNAdapterContext* context) const {
  bool taken = false;
  const int code = NNAdapterModel_getSupportedOperations(model_, context, &taken);
  if (code == NNADAPTER_FEATURE_NOT_SUPPORTED) return {false, false, ""};
  Check("NNAdapterModel_getSupportedOperations", code);
  return {true, taken, taken ? "" : Refusal()};
}

std::vector<int32_t> Model::OutputPrecisions() const {
  std::vector<int32_t> precisions;
  for (const int32_t index : given_.outputs) {
    NNAdapterOperandType* type = nullptr;
    Check("NNAdapterModel_getOperandType", NNAdapterModel_getOperandType(operands_[index], &type));
    precisions.push_back(type->precision);
  }
  return precisions;
}

}  // namespace device_test
