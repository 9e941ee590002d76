#include "lite/sdk/predictor.h"

#include <algorithm>

#include "lite/core/base/system.h"
#include "lite/sdk/devices.h"
#include "lite/sdk/notice.h"
#include "lite/sdk/tensor.h"

namespace paddle::lite::sdk {
namespace {

using lite_api::PaddlePredictor;
using lite_api::TensorImpl;
using ApiTensor = lite_api::Tensor;

std::vector<std::string> NamesOf(const std::vector<VarDesc>& descs) {
  std::vector<std::string> names;
  for (const VarDesc& desc : descs) names.push_back(desc.name);
  return names;
}

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// The position of a name, or -1.
int Find(const std::string& name, const std::vector<VarDesc>& descs) {
  const auto found = std::find_if(descs.begin(), descs.end(),
                                  [&](const VarDesc& desc) { return desc.name == name; });
  return found == descs.end() ? -1 : static_cast<int>(found - descs.begin());
}

int Require(const std::string& name, const std::vector<VarDesc>& descs, const char* what) {
  const int index = Find(name, descs);
  if (index >= 0) return index;
  const std::string known = Joined(NamesOf(descs));
  throw ConfigError(
      StrCat("the model has no ", what, " '", name, "'; it has ", known.empty() ? "none" : known));
}

std::unique_ptr<ApiTensor> Handle(const std::shared_ptr<LightPredictor>& predictor, int index,
                                  bool is_input) {
  const size_t count = (is_input ? predictor->inputs() : predictor->outputs()).size();
  if (index < 0 || static_cast<size_t>(index) >= count)
    throw ConfigError(StrCat(is_input ? "input " : "output ", index,
                             " does not exist: the model has ", count, ", counted from 0"));
  return std::make_unique<ApiTensor>(
      std::make_shared<TensorImpl>(predictor, static_cast<size_t>(index), is_input));
}

// The output, or else the input, of that name; null where there is none.
std::unique_ptr<ApiTensor> HandleByName(const std::shared_ptr<LightPredictor>& predictor,
                                        const std::string& name) {
  const int output = Find(name, predictor->outputs());
  if (output >= 0) return Handle(predictor, output, false);
  const int input = Find(name, predictor->inputs());
  return input >= 0 ? Handle(predictor, input, true) : nullptr;
}

void RequireDevice(const lite_api::ConfigBase& config) {
  if (!config.nnadapter_device_names().empty()) return;
  std::vector<std::string> set;
  if (!config.nnadapter_context_properties().empty()) set.push_back("nnadapter_context_properties");
  if (!config.nnadapter_dynamic_shape_info().empty()) set.push_back("nnadapter_dynamic_shape_info");
  if (!config.nnadapter_model_cache_buffers().empty())
    set.push_back("nnadapter_model_cache_buffers");
  if (!config.nnadapter_model_cache_dir().empty()) set.push_back("nnadapter_model_cache_dir");
  if (set.empty()) return;
  throw ConfigError(StrCat(Joined(set),
                           " set, but no device: name one with set_nnadapter_device_names "
                           "('builtin_device' is the CPU)"));
}

std::shared_ptr<LightPredictor> LoadMobile(const lite_api::MobileConfig& config,
                                           const std::shared_ptr<const std::string>& bytes,
                                           const LoadSettings& settings) {
  if (bytes != nullptr)
    return LightPredictor::FromBuffer(reinterpret_cast<const uint8_t*>(bytes->data()),
                                      bytes->size(), std::const_pointer_cast<std::string>(bytes),
                                      settings);
  if (!config.lite_model_file().empty())
    return LightPredictor::FromFile(config.lite_model_file(), settings);
  // Programs of older releases name the folder that the file now has the name of.
  for (const char* end : {"", ".nb"})
    if (!config.model_dir().empty() && system::IsOrdinaryFile(config.model_dir() + end))
      return LightPredictor::FromFile(config.model_dir() + end, settings);
  if (!config.model_dir().empty())
    throw ConfigError(StrCat(
        config.model_dir(),
        ": a MobileConfig takes one `.nb` file; folders are the layout before Paddle Lite 2.3. "
        "Convert the model with paddle_lite_opt and use set_model_from_file, or load it with a "
        "CxxConfig"));
  throw ConfigError("the MobileConfig names no model; call set_model_from_file first");
}

}  // namespace

MobilePredictor::MobilePredictor(std::shared_ptr<LightPredictor> predictor)
    : predictor_(std::move(predictor)) {
  // Applications that write an input without resizing it mean this shape.
  predictor_->ShowDeclaredShapes();
}

std::unique_ptr<ApiTensor> MobilePredictor::GetInput(int index) {
  return Handle(predictor_, index, true);
}

std::unique_ptr<const ApiTensor> MobilePredictor::GetOutput(int index) const {
  return Handle(predictor_, index, false);
}

std::unique_ptr<ApiTensor> MobilePredictor::GetInputByName(const std::string& name) {
  return Handle(predictor_, Require(name, predictor_->inputs(), "input"), true);
}

std::unique_ptr<const ApiTensor> MobilePredictor::GetOutputByName(const std::string& name) const {
  return Handle(predictor_, Require(name, predictor_->outputs(), "output"), false);
}

std::unique_ptr<const ApiTensor> MobilePredictor::GetTensor(const std::string& name) const {
  return HandleByName(predictor_, name);
}

std::unique_ptr<ApiTensor> MobilePredictor::GetMutableTensor(const std::string& name) {
  return HandleByName(predictor_, name);
}

std::vector<std::string> MobilePredictor::GetInputNames() { return NamesOf(predictor_->inputs()); }

std::vector<std::string> MobilePredictor::GetOutputNames() {
  return NamesOf(predictor_->outputs());
}

std::vector<std::string> MobilePredictor::GetParamNames() { return predictor_->param_names(); }

std::shared_ptr<PaddlePredictor> MobilePredictor::Clone() {
  return std::make_shared<MobilePredictor>(predictor_->Clone());
}

std::shared_ptr<PaddlePredictor> MobilePredictor::Clone(const std::vector<std::string>& var_names) {
  const std::vector<std::string>& params = predictor_->param_names();
  for (const std::string& name : var_names)
    if (!std::binary_search(params.begin(), params.end(), name))
      throw ConfigError(StrCat("the model has no parameter '", name, "'; it has ", params.size(),
                               ", see GetParamNames()"));
  return Clone();
}

bool MobilePredictor::TryShrinkMemory() {
  predictor_->ShrinkMemory();
  return true;
}

std::string MobilePredictor::GetVersion() const { return LITE_VERSION; }

void MobilePredictor::SaveOptimizedModel(const std::string&, lite_api::LiteModelType, bool) {
  throw ConfigError(
      "only a predictor that was made from a CxxConfig can save its model; this one's is optimised "
      "already");
}

std::string MobilePredictor::PlacementJson() const { return PlacementAsJson(*predictor_, ""); }

LoadSettings SettingsOf(const lite_api::ConfigBase& config) {
  RequireDevice(config);
  LoadSettings load;
  load.precision = PrecisionNamed(config.precision());
  load.kept = config.kept_tensors();
  DeviceSettings& settings = load.devices;
  settings.threads = config.threads();
  // Applications for x86 set this one; a wrong number of the other must not hide behind it.
  if (config.threads() >= 1)
    settings.threads = std::max(config.threads(), config.x86_math_num_threads());
  const std::vector<std::string> names = DevicesNamed(config.nnadapter_device_names());
  if (names.empty()) return load;
  settings.device_names = DevicesHere(names);
  settings.context_properties = config.nnadapter_context_properties();
  settings.context_callback = config.nnadapter_context_callback();
  settings.model_cache_dir = config.nnadapter_model_cache_dir();
  for (const auto& [token, buffer] : config.nnadapter_model_cache_buffers())
    settings.model_cache_buffers[token].assign(buffer.begin(), buffer.end());
  settings.dynamic_shape_info = config.nnadapter_dynamic_shape_info();
  settings.padded_axes = config.nnadapter_padded_axes();
  return load;
}

void PlaceThreads(const lite_api::ConfigBase& config, const LoadSettings& settings,
                  LightPredictor* predictor) {
  predictor->set_threads(settings.devices.threads);
  predictor->set_power_mode(static_cast<PowerMode>(config.power_mode()));
}

}  // namespace paddle::lite::sdk

namespace paddle::lite_api {

PaddlePredictor::~PaddlePredictor() = default;

std::shared_ptr<PaddlePredictor> CreateMobilePredictor(const MobileConfig& config) {
  const lite::LoadSettings settings = lite::sdk::SettingsOf(config);
  auto predictor = lite::sdk::LoadMobile(config, config.bytes_, settings);
  if (!predictor->stored_problem().empty()) lite::sdk::Warn(predictor->stored_problem());
  lite::sdk::PlaceThreads(config, settings, predictor.get());
  if (!settings.devices.device_names.empty() && predictor->DeviceReports().empty())
    lite::sdk::Warn(lite::StrCat(
        "devices ", lite::sdk::Joined(settings.devices.device_names),
        " are set, but the model has no subgraph for a device: all of it runs on the CPU. Convert "
        "it with paddle_lite_opt --valid_targets naming a device, or load the Paddle model "
        "itself"));
  return std::make_shared<lite::sdk::MobilePredictor>(std::move(predictor));
}

}  // namespace paddle::lite_api
