// Where devices come from: inside the process, or libraries in a search path.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lite/nnadapter/runtime/device.h"

namespace nnadapter::runtime {

// Makes a device of this process known, before any library of the same name. `device` and what it
// points to stay valid until it is unregistered and the last context on it is destroyed. Throws
// Error(INVALID_PARAMETER) where the name is taken, DEVICE_NOT_FOUND where the version does not
// fit.
void RegisterDevice(const driver::Device* device);
// Contexts that use it keep it. Throws Error(DEVICE_NOT_FOUND) where there is none.
void UnregisterDevice(const std::string& name);

// NNADAPTER_DEVICE_PATH, then this library's own folder.
std::vector<std::string> DeviceSearchPath();

struct DeviceInfo {
  std::string name;
  std::string library;  // empty: inside the process
  bool hidden = false;  // another one of this name comes first
};
// What AcquireDevice would find by looking: devices of this process, then the libraries in the
// search path that hold a device's symbol (none is loaded for this). Sorted by name in each place.
std::vector<DeviceInfo> ListDevices();

// Opens a device once in a process. Throws Error(DEVICE_NOT_FOUND) with where was looked.
std::shared_ptr<Device> AcquireDevice(const std::string& name);

}  // namespace nnadapter::runtime
