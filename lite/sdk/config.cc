// ConfigBase and MobileConfig.
#include "lite/core/base/errors.h"
#include "lite/kernels/nnadapter/nnadapter_api.h"
#include "lite/sdk/include/paddle_api.h"
#include "lite/sdk/notice.h"

namespace paddle::lite_api {
namespace {

using lite::sdk::SayIgnored;

constexpr char kNoOpenCL[] = "there is no OpenCL; models run on the CPU and NNAdapter devices";
constexpr char kNoMetal[] = "there is no Metal; models run on the CPU and NNAdapter devices";
constexpr char kNoSubgraphCache[] = "compiled subgraphs are kept by set_nnadapter_model_cache_dir";

}  // namespace

bool IsOpenCLBackendValid(bool) { return false; }
int GetOpenCLDeviceType() { return -1; }

ConfigBase::ConfigBase(PowerMode mode, int threads) : threads_(threads), mode_(mode) {}

void ConfigBase::set_power_mode(PowerMode mode) { mode_ = mode; }

bool ConfigBase::check_nnadapter_device_name(const std::string& name) {
  try {
    const auto& api = lite::nnadapter_bridge::LoadNNAdapter();
    NNAdapterDevice* device = nullptr;
    if (api.NNAdapterDevice_acquire(name.c_str(), &device) != NNADAPTER_NO_ERROR) return false;
    api.NNAdapterDevice_release(device);
    return true;
  } catch (const lite::DeviceError&) {
    return false;  // no libnnadapter.so
  }
}

void ConfigBase::set_nnadapter_device_names(const std::vector<std::string>& names) {
  device_names_ = names;
}

void ConfigBase::set_nnadapter_context_properties(const std::string& properties) {
  context_properties_ = properties;
}

void ConfigBase::set_nnadapter_context_callback(int (*callback)(int event_id, void* user_data)) {
  context_callback_ = callback;
}

void ConfigBase::set_nnadapter_model_cache_dir(const std::string& path) { model_cache_dir_ = path; }

void ConfigBase::set_nnadapter_model_cache_buffers(const std::string& token,
                                                   const std::vector<char>& buffer) {
  model_cache_buffers_[token] = buffer;
}

void ConfigBase::set_nnadapter_dynamic_shape_info(
    const std::map<std::string, std::vector<std::vector<int64_t>>>& info) {
  dynamic_shape_info_ = info;
}

void ConfigBase::set_nnadapter_padded_axes(const std::map<std::string, std::vector<int>>& axes) {
  padded_axes_ = axes;
}

void ConfigBase::set_opencl_binary_path_name(const std::string&, const std::string&) {
  SayIgnored("set_opencl_binary_path_name", kNoOpenCL);
}

void ConfigBase::set_opencl_tune(CLTuneMode, const std::string&, const std::string&, size_t) {
  SayIgnored("set_opencl_tune", kNoOpenCL);
}

void ConfigBase::set_opencl_precision(CLPrecisionType) {
  SayIgnored("set_opencl_precision", kNoOpenCL);
}

void ConfigBase::set_subgraph_model_cache_dir(const std::string& path) {
  SayIgnored("set_subgraph_model_cache_dir", kNoSubgraphCache);
  subgraph_model_cache_dir_ = path;
}

void ConfigBase::set_subgraph_model_cache_buffers(const std::string& key,
                                                  const std::vector<char>& cfg,
                                                  const std::vector<char>& bin) {
  SayIgnored("set_subgraph_model_cache_buffers", kNoSubgraphCache);
  subgraph_model_cache_buffers_[key] = {cfg, bin};
}

void ConfigBase::set_device_id(int device_id) {
  SayIgnored("set_device_id", "NNAdapter devices are chosen by their context properties");
  device_id_ = device_id;
}

void ConfigBase::set_metal_lib_path(const std::string& path) {
  SayIgnored("set_metal_lib_path", kNoMetal);
  metal_lib_path_ = path;
}

void ConfigBase::set_metal_use_mps(bool flag) {
  SayIgnored("set_metal_use_mps", kNoMetal);
  metal_use_mps_ = flag;
}

void ConfigBase::set_metal_use_aggressive(bool flag) {
  SayIgnored("set_metal_use_aggressive", kNoMetal);
  metal_use_aggressive_ = flag;
}

void ConfigBase::set_metal_device(void* device) {
  SayIgnored("set_metal_device", kNoMetal);
  metal_device_ = device;
}

void ConfigBase::set_metal_use_memory_reuse(bool flag) {
  SayIgnored("set_metal_use_memory_reuse", kNoMetal);
  metal_use_memory_reuse_ = flag;
}

void MobileConfig::set_model_from_file(const std::string& path) {
  file_ = path;
  bytes_.reset();
}

void MobileConfig::set_model_from_buffer(const std::string& bytes) {
  set_model_from_buffer(std::string(bytes));
}

void MobileConfig::set_model_from_buffer(std::string&& bytes) {
  bytes_ = std::make_shared<const std::string>(std::move(bytes));
  file_.clear();
}

void MobileConfig::set_model_from_buffer(const char* bytes, size_t length) {
  if (bytes == nullptr) throw lite::ConfigError("set_model_from_buffer got a null pointer");
  set_model_from_buffer(std::string(bytes, length));
}

void MobileConfig::set_model_buffer(const char* model, size_t model_bytes, const char*, size_t) {
  set_model_from_buffer(model, model_bytes);
}

void MobileConfig::set_precision_mode(PrecisionMode mode) {
  if (mode != LITE_PRECISION_NORMAL)
    SayIgnored("set_precision_mode", "models of half precision compute in float32");
  precision_mode_ = mode;
}

void MobileConfig::SetArmL3CacheSize(L3CacheSetMethod, int) {
  SayIgnored("SetArmL3CacheSize", "kernels find the sizes of caches by themselves");
}

bool MobileConfig::check_fp16_valid() { return false; }

}  // namespace paddle::lite_api
