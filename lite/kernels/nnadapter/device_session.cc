#include "lite/kernels/nnadapter/device_session.h"

#include <algorithm>

#include "lite/core/base/errors.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

constexpr char kCpu[] = "builtin_device";
constexpr char kCpuThreads[] = "BUILTIN_DEVICE_NUM_THREADS";

}  // namespace

DeviceSession::DeviceSession(DeviceSettings settings) : settings_(std::move(settings)) {
  if (settings_.device_names.empty())
    throw DeviceError(
        "the program has subgraphs for NNAdapter devices, but no device is set; name one with "
        "set_nnadapter_device_names or load(..., devices=[...]): 'builtin_device' is the CPU");
  LoadNNAdapter();
  for (const std::string& name : settings_.device_names) {
    int32_t version = 1;
    CheckNNAdapter(LoadNNAdapter().NNAdapterDevice_getVersion(Acquire(name), &version),
                   "ask a device for its version");
    lowest_version_ = devices_.size() == 1 ? version : std::min<int>(lowest_version_, version);
  }
}

DeviceSession::~DeviceSession() {
  const NNAdapterApi& api = LoadNNAdapter();
  for (const auto& entry : contexts_) api.NNAdapterContext_destroy(entry.second);
  for (const auto& entry : devices_) api.NNAdapterDevice_release(entry.second);
}

NNAdapterDevice* DeviceSession::Acquire(const std::string& name) {
  NNAdapterDevice*& device = devices_[name];
  if (device != nullptr) return device;
  const int code = LoadNNAdapter().NNAdapterDevice_acquire(name.c_str(), &device);
  if (code != NNADAPTER_NO_ERROR) {
    devices_.erase(name);
    CheckNNAdapter(code, StrCat("find the device '", name, "'"));
  }
  return devices_[name];
}

NNAdapterContext* DeviceSession::Context(const std::vector<std::string>& devices) {
  const std::lock_guard<ForkSafeMutex> lock(mutex_);
  const auto found = contexts_.find(devices);
  if (found != contexts_.end()) return found->second;
  std::vector<NNAdapterDevice*> handles;
  for (const std::string& name : devices) handles.push_back(Acquire(name));
  std::string properties = settings_.context_properties;
  const bool on_cpu = std::find(devices.begin(), devices.end(), kCpu) != devices.end();
  if (on_cpu && properties.find(kCpuThreads) == std::string::npos) {
    if (!properties.empty() && properties.back() != ';') properties += ';';
    properties += StrCat(kCpuThreads, "=", settings_.threads, ";");
  }
  NNAdapterContext* context = nullptr;
  CheckNNAdapter(LoadNNAdapter().NNAdapterContext_create(
                     handles.data(), static_cast<uint32_t>(handles.size()), properties.c_str(),
                     settings_.context_callback, &context),
                 StrCat("create a context for ", Describe(devices)));
  contexts_[devices] = context;
  return context;
}

std::vector<std::vector<std::string>> DeviceSession::DeviceLists() const {
  std::vector<std::vector<std::string>> lists = {settings_.device_names};
  if (settings_.strict) return lists;
  const auto& names = settings_.device_names;
  for (size_t i = 1; i < names.size(); ++i)
    lists.emplace_back(names.begin() + static_cast<std::ptrdiff_t>(i), names.end());
  if (lists.back() != std::vector<std::string>{kCpu}) lists.push_back({kCpu});
  return lists;
}

bool DeviceSession::KeepsPrograms(const std::vector<std::string>& devices) const {
  if (settings_.model_cache_dir.empty() && settings_.model_cache_buffers.empty()) return false;
  return devices == settings_.device_names || devices != std::vector<std::string>{kCpu};
}

std::string DeviceSession::DescribeContext() {
  NNAdapterContext* context = Context(settings_.device_names);
  const auto get = LoadNNAdapter().NNAdapterContext_getReport;
  const char* json = nullptr;
  return get != nullptr && get(context, &json) == NNADAPTER_NO_ERROR ? json : "";
}

std::string DeviceSession::Describe(const std::vector<std::string>& devices) const {
  std::string text;
  for (const std::string& name : devices) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace paddle::lite::nnadapter_bridge
