// The tests' driver inside this process, and models for it.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "lite/nnadapter/runtime/device_manager.h"
#include "nnadapter/nnadapter.h"

#define PROBE_NAME probe
#include "tests/nnadapter/drivers/probe.cc"

namespace paddle::lite::testing {

// The second one takes all operations and has no faults, whatever the properties say.
inline const char* const kProbes[] = {"probe", "probe_two"};

inline void RegisterProbes() {
  static nnadapter::driver::Device two = __nnadapter_device__probe;
  two.name = kProbes[1];
  two.create_context = [](void* device, const char*, int (*callback)(int, void*), void** context) {
    return CreateContext(device, "", callback, context);
  };
  nnadapter::runtime::RegisterDevice(&__nnadapter_device__probe);
  nnadapter::runtime::RegisterDevice(&two);
}

inline NNAdapterOperandType TypeOf(NNAdapterOperandPrecisionCode precision,
                                   std::vector<int32_t> dims) {
  NNAdapterOperandType type;
  std::memset(&type, 0, sizeof(type));
  type.precision = precision;
  type.dimensions.count = static_cast<uint32_t>(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) type.dimensions.data[i] = dims[i];
  return type;
}

inline NNAdapterOperand* AddOperand(NNAdapterModel* model, const NNAdapterOperandType& type) {
  NNAdapterOperand* operand = nullptr;
  NNAdapterModel_addOperand(model, &type, &operand);
  return operand;
}

inline NNAdapterOperand* Add(NNAdapterModel* model, NNAdapterOperationType type,
                             std::vector<NNAdapterOperand*> inputs) {
  NNAdapterOperand* output =
      AddOperand(model, TypeOf(static_cast<NNAdapterOperandPrecisionCode>(NNADAPTER_UNKNOWN), {}));
  NNAdapterOperation* operation = nullptr;
  NNAdapterModel_addOperation(model, type, static_cast<uint32_t>(inputs.size()), inputs.data(), 1,
                              &output, &operation);
  return output;
}

// x * 2 and relu(x * 2) + x, of [?, 3]; finished.
inline NNAdapterModel* MakeDiamond() {
  NNAdapterModel* model = nullptr;
  NNAdapterModel_create(&model);
  NNAdapterOperand* x = AddOperand(model, TypeOf(NNADAPTER_FLOAT32, {NNADAPTER_UNKNOWN, 3}));
  NNAdapterOperand* weight = AddOperand(model, TypeOf(NNADAPTER_FLOAT32, {3}));
  NNAdapterOperand* none = AddOperand(model, TypeOf(NNADAPTER_INT32, {1}));
  float two[3] = {2, 2, 2};
  int32_t fuse = NNADAPTER_FUSED_NONE;
  NNAdapterModel_setOperandValue(weight, two, sizeof(two), true);
  NNAdapterModel_setOperandValue(none, &fuse, sizeof(fuse), true);
  NNAdapterOperand* product = Add(model, NNADAPTER_MUL, {x, weight, none});
  NNAdapterOperand* positive = Add(model, NNADAPTER_RELU, {product});
  NNAdapterOperand* outputs[] = {product, Add(model, NNADAPTER_ADD, {positive, x, none})};
  NNAdapterModel_identifyInputsAndOutputs(model, 1, &x, 2, outputs);
  NNAdapterModel_finish(model);
  return model;
}

// A context on both probes; null where a driver refuses.
inline NNAdapterContext* MakeContext(const std::string& properties, int devices = 2) {
  NNAdapterDevice* acquired[2] = {};
  NNAdapterContext* context = nullptr;
  for (int i = 0; i < devices; ++i) NNAdapterDevice_acquire(kProbes[i], &acquired[i]);
  NNAdapterContext_create(acquired, static_cast<uint32_t>(devices), properties.c_str(), nullptr,
                          &context);
  for (int i = 0; i < devices; ++i) NNAdapterDevice_release(acquired[i]);
  return context;
}

struct HostTensor {
  std::vector<int32_t> dims;
  std::vector<float> values;
};

// A cache that no model vouches for may promise larger elements than floats.
inline bool TakesMore(const NNAdapterOperandType& type) {
  return type.precision == NNADAPTER_FLOAT64 || type.precision == NNADAPTER_INT64 ||
         type.precision == NNADAPTER_UINT64;
}

inline void* ReadTensor(void* memory, NNAdapterOperandType* type, void*) {
  auto* tensor = static_cast<HostTensor*>(memory);
  if (TakesMore(*type)) tensor->values.resize(2 * tensor->values.size());
  type->dimensions.count = static_cast<uint32_t>(tensor->dims.size());
  for (size_t i = 0; i < tensor->dims.size(); ++i) type->dimensions.data[i] = tensor->dims[i];
  return tensor->values.data();
}

inline void* WriteTensor(void* memory, NNAdapterOperandType* type, void*) {
  auto* tensor = static_cast<HostTensor*>(memory);
  tensor->dims.assign(type->dimensions.data, type->dimensions.data + type->dimensions.count);
  size_t count = 1;
  for (const int32_t extent : tensor->dims) count *= static_cast<size_t>(extent);
  if (count > (size_t{1} << 24)) return nullptr;
  tensor->values.assign(TakesMore(*type) ? 2 * count : count, 0);
  return tensor->values.data();
}

// Runs a compiled diamond; the result code, and whether the numbers are right.
inline int RunDiamond(NNAdapterCompilation* compilation, float value, bool* right) {
  NNAdapterExecution* execution = nullptr;
  int code = NNAdapterExecution_create(compilation, &execution);
  HostTensor x{{2, 3}, std::vector<float>(6, value)}, outputs[2];
  if (code == NNADAPTER_NO_ERROR) {
    NNAdapterExecution_setInput(execution, 0, &x, ReadTensor);
    NNAdapterExecution_setOutput(execution, 0, &outputs[0], WriteTensor);
    NNAdapterExecution_setOutput(execution, 1, &outputs[1], WriteTensor);
    code = NNAdapterExecution_compute(execution);
  }
  const float product = value * 2, total = (product > 0 ? product : 0) + value;
  *right = outputs[0].values == std::vector<float>(6, product) &&
           outputs[1].values == std::vector<float>(6, total);
  NNAdapterExecution_destroy(execution);
  return code;
}

}  // namespace paddle::lite::testing
