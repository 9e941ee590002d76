#include "lite/sdk/full/kept_model.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "lite/core/base/errors.h"
#include "lite/core/base/system.h"
#include "lite/core/fingerprint.h"
#include "lite/core/input_file.h"
#include "lite/core/output_file.h"
#include "lite/sdk/full/converter.h"
#include "lite/sdk/notice.h"

namespace paddle::lite::sdk {
namespace {

using Files = std::vector<std::string>;

constexpr size_t kDigits = 32;
constexpr char kSuffix[] = ".nb";

// A file of ours, or a part of one: models may be kept in their own folder.
bool IsKept(const std::string& name) {
  return name.size() > kDigits && name.find_first_not_of("0123456789abcdef") == kDigits &&
         name.compare(kDigits, sizeof(kSuffix) - 1, kSuffix) == 0;
}

// Of a folder, "" or one that ends with '/'.
Files FilesIn(const std::string& folder) {
  Files files;
  for (const std::string& name : system::NamesIn(folder.empty() ? "." : folder))
    if (!IsKept(name) && system::IsOrdinaryFile(folder + name)) files.push_back(folder + name);
  return files;
}

std::string NameOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// Those that the converter may read: a program alone finds its parameters beside it.
Files FilesOf(const lite_api::CxxConfig& config) {
  const std::string& program = config.model_file();
  if (program.empty())
    return config.model_dir().empty() ? Files() : FilesIn(config.model_dir() + "/");
  if (!config.param_file().empty()) return {program, config.param_file()};
  return FilesIn(program.substr(0, program.rfind('/') + 1));
}

bool IsOnnx(const std::string& path) {
  constexpr char kOnnx[] = ".onnx";
  constexpr size_t kSize = sizeof(kOnnx) - 1;
  return path.size() >= kSize && path.compare(path.size() - kSize, kSize, kOnnx) == 0;
}

void AddFile(const std::string& path, Fingerprint* to) {
  const InputFile file(path);
  const uint64_t bytes = file.Describe("a folder").bytes;
  std::vector<char> part(std::min<uint64_t>(bytes, 1 << 20));
  to->Add(NameOf(path));
  for (uint64_t at = 0; at < bytes; at += part.size()) {
    const auto count = std::min<uint64_t>(bytes - at, part.size());
    file.Read(part.data(), count, at);
    to->Add(part.data(), count);
  }
}

// None where the converter has to say what the model is. Throws where a file cannot be read.
std::optional<Fingerprint> FingerprintOf(const lite_api::CxxConfig& config) {
  Fingerprint all;
  AddFile(system::LibraryOf(reinterpret_cast<const void*>(&LightPredictor::FromFile)), &all);
  FingerprintSettings(config, &all);
  if (config.is_model_from_memory()) {
    all.Add(config.get_model_buffer().get_program());
    all.Add(config.get_model_buffer().get_params());
    return all;
  }
  const Files files = FilesOf(config);
  for (const std::string& file : files) {
    if (IsOnnx(file)) return std::nullopt;
    AddFile(file, &all);
  }
  if (files.empty()) return std::nullopt;
  return all;
}

}  // namespace

KeptModel::KeptModel(const lite_api::CxxConfig& config) {
  if (config.optim_cache_dir().empty() || !config.nnadapter_device_names().empty()) return;
  try {
    if (const auto found = FingerprintOf(config))
      path_ = StrCat(config.optim_cache_dir(), "/", Fingerprint::Hex(found->low(), found->high()),
                     kSuffix);
  } catch (const LiteError&) {  // the converter says the same of the file
  }
}

std::shared_ptr<LightPredictor> KeptModel::Load(const LoadSettings& settings) const {
  if (path_.empty()) return nullptr;
  try {
    return LightPredictor::FromFile(path_, settings);
  } catch (const LiteError&) {
    return nullptr;
  }
}

void KeptModel::Write(const void* nb, size_t bytes) const {
  if (path_.empty()) return;
  system::MakeFolder(path_.substr(0, path_.rfind('/')));  // where it fails, writing does
  try {
    OutputFile file(path_);
    file.Write(nb, bytes);
    file.Finish();
  } catch (const LiteError& problem) {
    Warn(StrCat("the converted model is not kept: ", problem.what()));
  }
}

}  // namespace paddle::lite::sdk
