// The devices that clients see, and what is compiled for some of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nnadapter/nnadapter.h"

namespace nnadapter::nnapi {

class Device {
 public:
  // Throws Error(UNAVAILABLE_DEVICE) where NNAdapter does not find it.
  explicit Device(const std::string& name);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const std::string& name() const { return name_; }
  const std::string& version() const { return version_; }
  // An ANEURALNETWORKS_DEVICE code.
  int32_t type() const { return type_; }
  NNAdapterDevice* handle() const { return handle_; }

 private:
  std::string name_, version_;
  int32_t type_ = 0;
  NNAdapterDevice* handle_ = nullptr;
};

// Those that LITE_NNAPI_DEVICES names and NNAdapter finds, looked up once; the CPU where it names
// none. Never destroyed.
const std::vector<std::shared_ptr<Device>>& Devices();
// NNAdapter's CPU.
std::shared_ptr<Device> Cpu();

// What NNAdapter compiles for.
class Context {
 public:
  // Throws Error(OP_FAILED).
  explicit Context(std::vector<std::shared_ptr<Device>> devices);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  NNAdapterContext* handle() const { return handle_; }
  const std::vector<std::shared_ptr<Device>>& devices() const { return devices_; }

 private:
  std::vector<std::shared_ptr<Device>> devices_;
  NNAdapterContext* handle_ = nullptr;
};

}  // namespace nnadapter::nnapi
