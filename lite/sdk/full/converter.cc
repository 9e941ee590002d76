#include "lite/sdk/full/converter.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "lite/core/base/errors.h"
#include "lite/core/memory.h"
#include "lite/core/naive_buffer.h"
#include "lite/sdk/devices.h"
#include "lite/sdk/full/child_process.h"
#include "lite/sdk/full/fields.h"
#include "lite/sdk/notice.h"

namespace paddle::lite::sdk {
namespace {

using lite_api::TargetType;

constexpr char kName[] = "paddle_lite_opt";
constexpr int kDefaultSeconds = 600;

bool IsProgram(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

std::string FolderOfThisLibrary() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&Convert), &info) == 0 || info.dli_fname == nullptr)
    return "./";
  const std::string path = info.dli_fname;
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "./" : path.substr(0, slash + 1);
}

std::vector<std::string> Candidates() {
  std::vector<std::string> paths;
  const std::string folder = FolderOfThisLibrary();
  // Beside the library; of a prefix; of pip install --target; of an environment.
  for (const char* up : {"", "../bin/", "../../../bin/", "../../../../../../bin/"})
    paths.push_back(StrCat(folder, up, kName));
  const char* search = std::getenv("PATH");
  for (std::string rest = search != nullptr ? search : ""; !rest.empty();) {
    const size_t colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) paths.push_back(StrCat(rest.substr(0, colon), "/", kName));
    rest.erase(0, colon + 1);
  }
  return paths;
}

std::string FindConverter() {
  const char* named = std::getenv("LITE_OPT");
  if (named != nullptr && *named != '\0') {
    if (IsProgram(named)) return named;
    throw ConfigError(StrCat("LITE_OPT names ", named, ", which is no program that can be run"));
  }
  std::string tried;
  for (const std::string& path : Candidates()) {
    if (IsProgram(path)) return path;
    tried += "\n  " + path;
  }
  throw ConfigError(StrCat("models other than .nb need the converter ", kName,
                           ", which was not found; looked at:", tried,
                           "\nInstall the Python package paddle-lite-predictor, name its ", kName,
                           " in LITE_OPT, or convert the model beforehand and load the .nb file"));
}

int TimeLimit() {
  const char* text = std::getenv("LITE_OPT_TIMEOUT");
  if (text == nullptr || *text == '\0') return kDefaultSeconds;
  int seconds = 0;
  const char* const end = text + std::strlen(text);
  const auto [last, error] = std::from_chars(text, end, seconds);
  if (error != std::errc() || last != end || seconds < 1 || seconds > 1'000'000)
    throw ConfigError(
        StrCat("LITE_OPT_TIMEOUT is '", text, "', expected a number of seconds from 1 on"));
  return seconds;
}

// The targets that this framework has; the others are passed over where one of these is named.
std::vector<TargetType> Targets(const lite_api::CxxConfig& config) {
  std::vector<TargetType> known;
  std::string others;
  for (const lite_api::Place& place : config.valid_places()) {
    switch (place.target) {
      case TargetType::kUnk:
      case TargetType::kAny:
      case TargetType::kHost:
      case TargetType::kX86:
      case TargetType::kARM:
      case TargetType::kNNAdapter:
        known.push_back(place.target);
        break;
      default:
        others += (others.empty() ? "" : ", ") + TargetToStr(place.target);
    }
  }
  if (known.empty() && !others.empty())
    throw ConfigError(StrCat("valid places name ", others,
                             ", which is not available in this version; use TARGET(kX86), "
                             "TARGET(kARM), TARGET(kHost) or TARGET(kNNAdapter)"));
  if (!others.empty()) SayIgnored("a valid place", others.c_str());
  return known;
}

std::string ShapesText(const std::string& name, const std::vector<std::vector<int64_t>>& shapes) {
  std::string text = name;
  for (const auto& shape : shapes) {
    text += '\n';
    for (size_t i = 0; i < shape.size(); ++i) text += (i ? "," : "") + std::to_string(shape[i]);
  }
  return text;
}

void AddAll(const char* name, const std::vector<std::string>& values, FieldWriter* request) {
  for (const std::string& value : values) request->AddText(name, value);
}

void AddDevices(const lite_api::CxxConfig& config, bool offline, FieldWriter* request) {
  const std::vector<std::string> names = DevicesNamed(config.nnadapter_device_names());
  // Settings without any name are a mistake, which the converter tells.
  if (names.empty() && !config.nnadapter_device_names().empty()) return;
  if (offline) request->AddText("offline", "1");
  AddAll("device", names, request);
  request->AddText("context_properties", config.nnadapter_context_properties());
  for (const auto& [name, shapes] : config.nnadapter_dynamic_shape_info())
    request->AddText("dynamic_shape", ShapesText(name, shapes));
  request->AddText("partition_config", config.nnadapter_subgraph_partition_config_buffer());
  request->AddText("partition_config_path", config.nnadapter_subgraph_partition_config_path());
  request->AddText("mixed_precision_config",
                   config.nnadapter_mixed_precision_quantization_config_buffer());
  request->AddText("mixed_precision_config_path",
                   config.nnadapter_mixed_precision_quantization_config_path());
}

void AddModel(const lite_api::CxxConfig& config, FieldWriter* request) {
  request->AddText("model_dir", config.model_dir());
  request->AddText("model_file", config.model_file());
  request->AddText("param_file", config.param_file());
  if (!config.is_model_from_memory()) return;
  request->Add("model_buffer", config.get_model_buffer().get_program());
  request->Add("param_buffer", config.get_model_buffer().get_params());
}

void AddSettings(const lite_api::CxxConfig& config, bool offline, FieldWriter* request) {
  for (const TargetType target : Targets(config))
    request->AddText("place", std::to_string(static_cast<int>(target)));
  AddAll("pass", config.get_passes_internal(), request);
  AddAll("discarded_pass", config.get_discarded_passes(), request);
  if (config.quant_model())
    request->AddText("weight_bits",
                     config.quant_type() == lite_api::QuantType::QUANT_INT8 ? "8" : "16");
  if (config.sparse_model())
    request->AddText("sparse_threshold", StrCat(config.sparse_threshold()));
  AddAll("keep", config.kept_tensors(), request);
  AddDevices(config, offline, request);
}

void AddConfig(const lite_api::CxxConfig& config, bool offline, FieldWriter* request) {
  AddSettings(config, offline, request);
  AddModel(config, request);
}

// What Python raised, as the same error of C++ with the same words.
[[noreturn]] void Raise(const std::string& kind, const std::string& text) {
#define LITE_RAISE(Name) \
  if (kind == #Name) throw Name(text)
  LITE_RAISE(ModelFormatError);
  LITE_RAISE(UnsupportedOperatorError);
  LITE_RAISE(ShapeError);
  LITE_RAISE(DataTypeError);
  LITE_RAISE(ConfigError);
  LITE_RAISE(DeviceError);
  LITE_RAISE(LiteError);
#undef LITE_RAISE
  if (kind == "FileNotFoundError") throw FileError(text, ENOENT);
  if (kind == "PermissionError") throw FileError(text, EACCES);
  if (kind == "ValueError" || kind == "TypeError" || kind == "KeyError") throw ConfigError(text);
  throw LiteError(StrCat(kind, ": ", text));
}

std::string WhatItSaid(const std::string& errors) {
  const size_t end = errors.find_last_not_of(" \n");
  return end == std::string::npos ? "It said nothing" : "It said:\n" + errors.substr(0, end + 1);
}

// The converter's answer, which `fields` are views of.
std::string Ask(FieldWriter* request, Fields* fields) {
  const std::string converter = FindConverter();
  const int limit = TimeLimit();
  request->AddText("time_limit", std::to_string(limit));
  ChildResult result =
      RunChild({converter, "--pipe"}, request->Finish(), std::chrono::seconds(limit));
  if (result.timed_out)
    throw LiteError(StrCat("the converter ", converter, " did not finish within ", limit,
                           " s and was stopped; LITE_OPT_TIMEOUT sets another limit. ",
                           WhatItSaid(result.errors)));
  const bool whole = ParseFields(result.output, fields);
  const std::string_view status = FieldValue(*fields, "status");
  if (!whole || (status != "ok" && status != "error"))
    throw LiteError(StrCat("the converter ", converter, " failed",
                           result.end.empty() ? "" : " (" + result.end + ")",
                           "; is it paddle_lite_opt of this version? ", WhatItSaid(result.errors)));
  if (status == "error")
    Raise(std::string(FieldValue(*fields, "kind")), std::string(FieldValue(*fields, "text")));
  for (const auto& [name, text] : *fields)
    if (name == "warning") Warn(std::string(text));
  return std::move(result.output);
}

}  // namespace

void FingerprintSettings(const lite_api::CxxConfig& config, Fingerprint* to) {
  FieldWriter settings;
  AddSettings(config, false, &settings);
  for (const std::string_view part : settings.Finish()) to->Add(part.data(), part.size());
}

Converted Convert(const lite_api::CxxConfig& config, bool offline) {
  FieldWriter request;
  request.AddText("action", "load");
  AddConfig(config, offline, &request);
  Fields fields;
  const std::string answer = Ask(&request, &fields);
  const std::string_view nb = FieldValue(fields, "nb");
  if (nb.empty()) throw LiteError("the converter gave no model");
  Converted converted;
  converted.placement = FieldValue(fields, "placement");
  converted.nb = AllocateAligned(nb.size());
  converted.nb_bytes = nb.size();
  std::memcpy(converted.nb.get(), nb.data(), nb.size());
  return converted;
}

void ConvertToFiles(const lite_api::CxxConfig& config, bool offline, const std::string& path,
                    lite_api::LiteModelType type, bool record_info) {
  if (type != lite_api::LiteModelType::kProtobuf && type != lite_api::LiteModelType::kNaiveBuffer)
    throw ConfigError(
        StrCat("models are saved as kProtobuf or kNaiveBuffer, not as ", static_cast<int>(type)));
  FieldWriter request;
  request.AddText("action",
                  type == lite_api::LiteModelType::kProtobuf ? "protobuf" : "naive_buffer");
  request.AddText("path", path);
  if (record_info) request.AddText("record_info", "1");
  AddConfig(config, offline, &request);
  Fields fields;
  (void)Ask(&request, &fields);
}

}  // namespace paddle::lite::sdk
