// Devices in order of preference, each with what its driver made of the properties.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lite/nnadapter/runtime/device.h"
#include "lite/nnadapter/runtime/mutex.h"

namespace nnadapter::runtime {

using Properties = std::vector<std::pair<std::string, std::string>>;
// "key=value;key=value", a trailing ';' is fine. Throws Error(INVALID_PARAMETER).
Properties ParseProperties(const std::string& text);

// One driver's context.
class DeviceContext {
 public:
  DeviceContext(std::shared_ptr<Device> device, const std::string& text,
                const Properties& properties, int (*callback)(int event_id, void* user_data));
  ~DeviceContext();
  DeviceContext(const DeviceContext&) = delete;
  DeviceContext& operator=(const DeviceContext&) = delete;

  const Device& device() const { return *device_; }
  const std::string& name() const { return device_->name(); }
  void* handle() const { return handle_; }
  // Held while the driver makes programs: not every driver can make two at once in one context.
  Mutex& mutex() const { return mutex_; }
  // What says which operations the device takes where its driver cannot be asked: a declaration (a
  // property, a file), or the public list of a known vendor's device; empty where there is none.
  std::string Judge() const;
  // Whether the device takes each operation, in the model's order; nothing where neither the driver
  // nor a list can be asked. Throws Error where the driver fails. `reasons` gets, for each
  // operation that is not taken, what the driver says about it, perhaps nothing.
  std::optional<std::vector<bool>> Supported(const core::Model& model,
                                             std::vector<std::string>* reasons = nullptr) const;

 private:
  std::string Explain(const core::Operation& operation) const;

  std::shared_ptr<Device> device_;
  std::string declared_in_;
  std::optional<std::set<NNAdapterOperationType>> declared_;
  void* handle_ = nullptr;
  mutable Mutex mutex_;
};

class Context {
 public:
  Context(const std::vector<std::shared_ptr<Device>>& devices, const std::string& properties,
          int (*callback)(int event_id, void* user_data));

  const std::vector<std::unique_ptr<DeviceContext>>& devices() const { return devices_; }
  const std::string& properties() const { return properties_; }

 private:
  std::string properties_;
  std::vector<std::unique_ptr<DeviceContext>> devices_;
};

}  // namespace nnadapter::runtime
