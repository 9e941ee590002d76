#include "lite/nnadapter/nnapi/device.h"

#include <cstdlib>
#include <sstream>

#include "lite/core/base/found_once.h"
#include "lite/nnadapter/nnapi/error.h"

namespace nnadapter::nnapi {
namespace {

constexpr char kCpu[] = "builtin_device";

int32_t TypeOf(NNAdapterDeviceType type) {
  switch (type) {
    case NNADAPTER_CPU:
      return ANEURALNETWORKS_DEVICE_CPU;
    case NNADAPTER_GPU:
      return ANEURALNETWORKS_DEVICE_GPU;
    case NNADAPTER_ACCELERATOR:
      return ANEURALNETWORKS_DEVICE_ACCELERATOR;
    default:
      return ANEURALNETWORKS_DEVICE_OTHER;
  }
}

std::vector<std::shared_ptr<Device>> FindDevices() {
  std::vector<std::shared_ptr<Device>> found;
  const char* names = std::getenv("LITE_NNAPI_DEVICES");
  std::istringstream stream(names ? names : "");
  for (std::string name; std::getline(stream, name, ',');) {
    name.erase(0, name.find_first_not_of(" \t"));
    name.erase(name.find_last_not_of(" \t") + 1);
    if (name.empty()) continue;
    bool twice = false;
    for (const auto& device : found) twice = twice || device->name() == name;
    if (twice) continue;
    try {
      found.push_back(std::make_shared<Device>(name));
    } catch (const Error& error) {
      hal::Trace(0, "NNAPI: LITE_NNAPI_DEVICES: ", error.what());
    }
  }
  if (found.empty()) found.push_back(std::make_shared<Device>(kCpu));
  return found;
}

std::shared_ptr<Device> FindCpu() {
  for (const auto& device : Devices())
    if (device->name() == kCpu) return device;
  return std::make_shared<Device>(kCpu);
}

}  // namespace

Device::Device(const std::string& name) : name_(name) {
  if (NNAdapterDevice_acquire(name.c_str(), &handle_) != NNADAPTER_NO_ERROR)
    Fail(ANEURALNETWORKS_UNAVAILABLE_DEVICE, NNAdapter_getLastErrorMessage());
  NNAdapterDeviceType type = NNADAPTER_CPU;
  int32_t version = 0;
  NNAdapterDevice_getType(handle_, &type);
  NNAdapterDevice_getVersion(handle_, &version);
  type_ = TypeOf(type);
  version_ = std::to_string(version);
}

Device::~Device() { NNAdapterDevice_release(handle_); }

const std::vector<std::shared_ptr<Device>>& Devices() {
  return paddle::lite::FoundOnce<FindDevices>();
}

std::shared_ptr<Device> Cpu() { return paddle::lite::FoundOnce<FindCpu>(); }

Context::Context(std::vector<std::shared_ptr<Device>> devices) : devices_(std::move(devices)) {
  std::vector<NNAdapterDevice*> handles;
  for (const auto& device : devices_) handles.push_back(device->handle());
  if (NNAdapterContext_create(handles.data(), static_cast<uint32_t>(handles.size()), "", nullptr,
                              &handle_) != NNADAPTER_NO_ERROR)
    Fail(ANEURALNETWORKS_OP_FAILED, NNAdapter_getLastErrorMessage());
}

Context::~Context() { NNAdapterContext_destroy(handle_); }

}  // namespace nnadapter::nnapi
