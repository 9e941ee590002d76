// The C functions of the library, its devices and models: handles become objects, exceptions codes.
#include <algorithm>

#include "lite/nnadapter/nnapi/objects.h"

namespace nnadapter::nnapi {
namespace {

std::shared_ptr<Device> DeviceOf(const ANeuralNetworksDevice* device) {
  Required(device, "the device");
  for (const auto& known : Devices())
    if (static_cast<const void*>(known.get()) == device) return known;
  FailData("there is no such device");
}

// A count that cannot be right is refused before the list is read. An operand may be named often.
std::vector<uint32_t> IndexList(const Model& model, uint32_t count, const uint32_t* indices,
                                const char* what) {
  if (count > 0) Required(indices, what);
  const size_t most = std::max<size_t>(model.operand_count(), 1024);
  if (count > most) FailData(what, ": ", count, " are too many");
  return std::vector<uint32_t>(indices, indices + count);
}

}  // namespace

std::vector<std::shared_ptr<Device>> DeviceList(const ANeuralNetworksDevice* const* devices,
                                                uint32_t count) {
  Required(devices, "the list of devices");
  if (count == 0) FailData("the list of devices is empty");
  std::vector<std::shared_ptr<Device>> list;
  for (uint32_t i = 0; i < count; ++i) {
    list.push_back(DeviceOf(devices[i]));
    if (std::count(list.begin(), list.end(), list.back()) > 1)
      FailData("device ", list.back()->name(), " is named twice");
  }
  return list;
}

}  // namespace nnadapter::nnapi

using namespace nnadapter::nnapi;  // NOLINT: this file is the C face of that namespace

int64_t ANeuralNetworks_getRuntimeFeatureLevel(void) { return ANEURALNETWORKS_FEATURE_LEVEL_5; }

uint64_t ANeuralNetworks_getDefaultLoopTimeout(void) { return kDefaultLoopTimeout; }

uint64_t ANeuralNetworks_getMaximumLoopTimeout(void) { return kMaximumLoopTimeout; }

int ANeuralNetworks_getDeviceCount(uint32_t* numDevices) {
  return Barrier(__func__, [&] {
    *Required(numDevices, "numDevices") = static_cast<uint32_t>(Devices().size());
  });
}

int ANeuralNetworks_getDevice(uint32_t devIndex, ANeuralNetworksDevice** device) {
  return Barrier(__func__, [&] {
    *Required(device, "device") = nullptr;
    if (devIndex >= Devices().size()) FailData("there is no device ", devIndex);
    *device = reinterpret_cast<ANeuralNetworksDevice*>(Devices()[devIndex].get());
  });
}

int ANeuralNetworksDevice_getName(const ANeuralNetworksDevice* device, const char** name) {
  return Barrier(__func__, [&] { *Required(name, "name") = DeviceOf(device)->name().c_str(); });
}

int ANeuralNetworksDevice_getVersion(const ANeuralNetworksDevice* device, const char** version) {
  return Barrier(__func__,
                 [&] { *Required(version, "version") = DeviceOf(device)->version().c_str(); });
}

int ANeuralNetworksDevice_getType(const ANeuralNetworksDevice* device, int32_t* type) {
  return Barrier(__func__, [&] { *Required(type, "type") = DeviceOf(device)->type(); });
}

int ANeuralNetworksDevice_getFeatureLevel(const ANeuralNetworksDevice* device,
                                          int64_t* featureLevel) {
  return Barrier(__func__, [&] {
    Required(featureLevel, "featureLevel");
    DeviceOf(device);
    *featureLevel = ANEURALNETWORKS_FEATURE_LEVEL_5;
  });
}

int ANeuralNetworksDevice_wait(const ANeuralNetworksDevice* device) {
  return Barrier(__func__, [&] { DeviceOf(device); });
}

int ANeuralNetworksModel_create(ANeuralNetworksModel** model) {
  return Create(__func__, model, [] { return std::make_shared<Model>(); });
}

void ANeuralNetworksModel_free(ANeuralNetworksModel* model) { Free(model); }

int ANeuralNetworksModel_finish(ANeuralNetworksModel* model) {
  return Barrier(__func__, [&] { Get(model)->Finish(); });
}

int ANeuralNetworksModel_addOperand(ANeuralNetworksModel* model,
                                    const ANeuralNetworksOperandType* type) {
  return Barrier(__func__, [&] {
    const auto object = Get(model);
    object->AddOperand(*Required(type, "type"));
  });
}

int ANeuralNetworksModel_setOperandValue(ANeuralNetworksModel* model, int32_t index,
                                         const void* buffer, size_t length) {
  return Barrier(__func__, [&] { Get(model)->SetValue(index, buffer, length); });
}

int ANeuralNetworksModel_setOperandValueFromMemory(ANeuralNetworksModel* model, int32_t index,
                                                   const ANeuralNetworksMemory* memory,
                                                   size_t offset, size_t length) {
  return Barrier(__func__, [&] {
    const auto object = Get(model);
    object->SetValueFromMemory(index, Get(memory), offset, length);
  });
}

int ANeuralNetworksModel_setOperandValueFromModel(ANeuralNetworksModel* model, int32_t index,
                                                  const ANeuralNetworksModel* value) {
  return Barrier(__func__, [&] {
    const auto object = Get(model);
    object->SetValueFromModel(index, Get(value));
  });
}

int ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(
    ANeuralNetworksModel* model, int32_t index,
    const ANeuralNetworksSymmPerChannelQuantParams* channelQuant) {
  return Barrier(__func__, [&] {
    const auto object = Get(model);
    object->SetChannelScales(index, *Required(channelQuant, "channelQuant"));
  });
}

int ANeuralNetworksModel_addOperation(ANeuralNetworksModel* model,
                                      ANeuralNetworksOperationType type, uint32_t inputCount,
                                      const uint32_t* inputs, uint32_t outputCount,
                                      const uint32_t* outputs) {
  return Barrier(__func__, [&] {
    const auto object = Get(model);
    object->AddOperation(type, IndexList(*object, inputCount, inputs, "inputs"),
                         IndexList(*object, outputCount, outputs, "outputs"));
  });
}

int ANeuralNetworksModel_identifyInputsAndOutputs(ANeuralNetworksModel* model, uint32_t inputCount,
                                                  const uint32_t* inputs, uint32_t outputCount,
                                                  const uint32_t* outputs) {
  return Barrier(__func__, [&] {
    const auto object = Get(model);
    object->Identify(IndexList(*object, inputCount, inputs, "inputs"),
                     IndexList(*object, outputCount, outputs, "outputs"));
  });
}

int ANeuralNetworksModel_relaxComputationFloat32toFloat16(ANeuralNetworksModel* model, bool allow) {
  return Barrier(__func__, [&] { Get(model)->Relax(allow); });
}

int ANeuralNetworksModel_getSupportedOperationsForDevices(
    const ANeuralNetworksModel* model, const ANeuralNetworksDevice* const* devices,
    uint32_t numDevices, bool* supportedOps) {
  return Barrier(__func__, [&] {
    const auto object = Get(model);
    Required(supportedOps, "supportedOps");
    const auto list = DeviceList(devices, numDevices);
    if (!object->finished()) FailState("the model is not finished");
    const std::vector<std::string> reasons = Refusals(*object, Context(list));
    for (size_t i = 0; i < reasons.size(); ++i) {
      supportedOps[object->added_index()[i]] = reasons[i].empty();
      if (!reasons[i].empty()) nnadapter::hal::Trace(1, "NNAPI: ", reasons[i]);
    }
  });
}
