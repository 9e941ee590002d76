// DeviceSession: the devices and contexts that all subgraphs of a predictor share.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "lite/core/fork_safe_mutex.h"
#include "lite/kernels/nnadapter/device_settings.h"
#include "lite/kernels/nnadapter/nnadapter_api.h"

namespace paddle::lite::nnadapter_bridge {

class DeviceSession {
 public:
  // Acquires the devices. Throws DeviceError where one is missing, or where none is named.
  explicit DeviceSession(DeviceSettings settings);
  ~DeviceSession();
  DeviceSession(const DeviceSession&) = delete;
  DeviceSession& operator=(const DeviceSession&) = delete;

  const DeviceSettings& settings() const { return settings_; }
  // The context for some of the devices; made once. Throws DeviceError.
  NNAdapterContext* Context(const std::vector<std::string>& devices);
  // What to try in turn: all devices, all but the first, ..., the CPU; only the first where the
  // settings are strict.
  std::vector<std::vector<std::string>> DeviceLists() const;
  // Whether caches are asked for. The CPU's programs, where they stand in for a device's, are made
  // again as quickly: one for each shape would fill a board.
  bool KeepsPrograms(const std::vector<std::string>& devices) const;
  // What NNAdapter says about the context of all devices, as JSON; empty where it cannot.
  std::string DescribeContext();
  int lowest_version() const { return lowest_version_; }
  // Of the NNAdapter that a list of devices asks for, as the cache's token names it.
  std::string Describe(const std::vector<std::string>& devices) const;

 private:
  NNAdapterDevice* Acquire(const std::string& name);

  DeviceSettings settings_;
  ForkSafeMutex mutex_;
  std::map<std::string, NNAdapterDevice*> devices_;
  std::map<std::vector<std::string>, NNAdapterContext*> contexts_;
  int lowest_version_ = 1;
};

}  // namespace paddle::lite::nnadapter_bridge
