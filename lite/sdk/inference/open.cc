#include "lite/sdk/inference/open.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "lite/core/base/errors.h"
#include "lite/core/base/system.h"
#include "lite/sdk/inference/pass_list.h"

namespace paddle {
namespace {

using lite::ConfigError;
using lite::StrCat;

constexpr int kMaxThreads = 256;
// Without optimisation, what is left to do is to name kernels.
constexpr char kRequiredPass[] = "static_kernel_pick_pass";

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool EndsWith(const std::string& text, const char* end) {
  const size_t size = std::strlen(end);
  return text.size() >= size && text.compare(text.size() - size, size, end) == 0;
}

// A `.nb` file begins with its version, a program with a tag or a brace.
bool IsNaiveBuffer(const lite_api::CxxModelBuffer& buffer) {
  const std::string& bytes = buffer.get_program();
  return buffer.get_params().empty() && bytes.size() > 2 &&
         static_cast<unsigned char>(bytes[0]) <= 2 && bytes[1] == 0;
}

std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw ConfigError(StrCat(path, ": the subgraph partition config cannot be read"));
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

}  // namespace

// What is asked for, as the two configurations of the SDK have it.
class Opener {
 public:
  explicit Opener(const AnalysisConfig& config) : config_(config) {
    const LiteNNAdapterConfig& devices = config.nnadapter_;
    with_devices_ = (config.lite_engine_ || devices.enabled_) && !devices.disabled_ &&
                    !devices.device_names_.empty();
  }

  std::shared_ptr<lite_api::PaddlePredictor> Open() const {
    if (config_.use_custom_device())
      throw ConfigError(StrCat("EnableCustomDevice(\"", config_.custom_device_type(),
                               "\"): there is no such device; NNAdapter devices are set by "
                               "EnableLiteEngine() and NNAdapter().SetDeviceNames({...})"));
    if (config_.buffer_ != nullptr)
      return IsNaiveBuffer(*config_.buffer_) ? OpenMobile("") : OpenCxx();
    const std::string& file = config_.prog_file_.empty() ? config_.model_dir_ : config_.prog_file_;
    if (file.empty())
      throw ConfigError(
          "the Config names no model: give it a folder, a program and its parameters, or call "
          "SetModelBuffer()");
    // What is not there needs no converter to be told of.
    const bool naive_buffer = EndsWith(file, ".nb") &&
                              (lite::system::IsOrdinaryFile(file) || !lite::system::Exists(file));
    return naive_buffer ? OpenMobile(file) : OpenCxx();
  }

 private:
  std::shared_ptr<lite_api::PaddlePredictor> OpenMobile(const std::string& file) const {
    lite_api::MobileConfig mobile;
    if (file.empty())
      mobile.set_model_from_buffer(config_.buffer_->get_program());
    else
      mobile.set_model_from_file(file);
    SetBase(&mobile);
    return lite_api::CreatePaddlePredictor(mobile);
  }

  std::shared_ptr<lite_api::PaddlePredictor> OpenCxx() const {
    lite_api::CxxConfig cxx;
    if (config_.buffer_ != nullptr) {
      cxx.set_model_buffer(config_.buffer_);
    } else if (!config_.prog_file_.empty()) {
      cxx.set_model_file(config_.prog_file_);
      cxx.set_param_file(config_.params_file_);
    } else if (lite::system::IsOrdinaryFile(config_.model_dir_)) {
      cxx.set_model_file(config_.model_dir_);
    } else {
      cxx.set_model_dir(config_.model_dir_);
    }
    cxx.set_optim_cache_dir(config_.optim_cache_dir_);
    SetBase(&cxx);
    SetPasses(&cxx);
    if (with_devices_) cxx.set_nnadapter_subgraph_partition_config_buffer(PartitionConfig());
    return lite_api::CreatePaddlePredictor(cxx);
  }

  void SetBase(lite_api::ConfigBase* base) const {
    base->set_threads(std::min(std::max(config_.threads_, 1), kMaxThreads));
    if (!with_devices_) return;
    const LiteNNAdapterConfig& devices = config_.nnadapter_;
    base->set_nnadapter_device_names(devices.device_names_);
    base->set_nnadapter_context_properties(devices.context_properties_);
    base->set_nnadapter_model_cache_dir(devices.model_cache_dir_);
    for (const auto& [token, buffer] : devices.model_cache_buffers_)
      base->set_nnadapter_model_cache_buffers(token, buffer);
  }

  void SetPasses(lite_api::CxxConfig* cxx) const {
    const std::vector<std::string>& known = DefaultPasses();
    for (const std::string& name : config_.left_out_)
      for (const std::string& pass : {name, "lite_" + name})
        if (Contains(known, pass)) cxx->add_discarded_pass(pass);
    // Devices take their operators from a pass of the list.
    if (!config_.ir_optim_ && !with_devices_) return cxx->set_passes_internal({kRequiredPass});
    const std::vector<std::string>& wanted = config_.passes_.AllPasses();
    if (wanted == known) return;
    std::vector<std::string> chosen;
    for (const std::string& name : wanted)
      if (Contains(known, name)) chosen.push_back(name);
    if (!Contains(chosen, kRequiredPass)) chosen.push_back(kRequiredPass);
    cxx->set_passes_internal(chosen);
  }

  std::string PartitionConfig() const {
    const LiteNNAdapterConfig& devices = config_.nnadapter_;
    std::string text = devices.partition_config_;
    if (text.empty() && !devices.partition_config_path_.empty())
      text = ReadText(devices.partition_config_path_);
    for (const std::string& type : config_.on_cpu_) text += (text.empty() ? "" : "\n") + type;
    return text;
  }

  const AnalysisConfig& config_;
  bool with_devices_;
};

std::shared_ptr<lite_api::PaddlePredictor> OpenModel(const AnalysisConfig& config) {
  return Opener(config).Open();
}

}  // namespace paddle
