#include "lite/nnadapter/runtime/device.h"

#include <atomic>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <iterator>

#include "lite/nnadapter/runtime/declared_operations.h"
#include "nnadapter/extensions.h"

namespace nnadapter::runtime {
namespace {

std::atomic<bool> lends_memory{false};

std::string DeclarationBeside(const std::string& library, const std::string& name) {
  const size_t slash = library.rfind('/');
  return slash == std::string::npos ? "" : library.substr(0, slash + 1) + name + ".yaml";
}

std::optional<std::set<NNAdapterOperationType>> Declared(const std::string& path) {
  if (path.empty()) return std::nullopt;
  std::ifstream file(path);
  if (!file) return std::nullopt;
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  try {
    return ParseOperationYaml(text);
  } catch (const Error& error) {
    FailParameter(path, ": ", error.what());
  }
}

}  // namespace

int DriverCode(int code) {
  return code >= NNADAPTER_NO_ERROR && code <= NNADAPTER_FEATURE_NOT_SUPPORTED
             ? code
             : NNADAPTER_DEVICE_INTERNAL_ERROR;
}

int32_t CheckedVersion(const void* driver, const std::string& where) {
  int32_t version;
  std::memcpy(&version, static_cast<const char*>(driver) + offsetof(driver::Device, version),
              sizeof(version));
  if (version < NNADAPTER_VERSION) {
    Fail(NNADAPTER_DEVICE_NOT_FOUND, where, " is made for version ", version,
         " of the driver contract, this is version ", NNADAPTER_VERSION);
  }
  return version;
}

Device::Device(std::string name, const driver::Device* driver, std::string library,
               driver::ExplainFunction explain, driver::LastErrorFunction last_error,
               LibraryAbi abi)
    : name_(std::move(name)),
      driver_(driver),
      library_(std::move(library)),
      explain_(explain),
      last_error_(last_error),
      abi_(abi),
      declaration_(DeclarationBeside(library_, name_)) {
  const std::string where = "device " + name_;
  version_ = CheckedVersion(driver_, where);
  if (version_ > NNADAPTER_VERSION) {
    Log(0, Text(where, " is made for version ", version_, " of the driver contract, newer than ",
                NNADAPTER_VERSION, ": taken as if it were the same"));
  }
  const std::pair<const char*, bool> required[] = {
      {"open_device", driver_->open_device != nullptr},
      {"create_context", driver_->create_context != nullptr},
      {"create_program", driver_->create_program != nullptr},
      {"execute_program", driver_->execute_program != nullptr}};
  for (const auto& [callback, there] : required)
    if (!there) Fail(NNADAPTER_DEVICE_NOT_FOUND, where, " has no ", callback);
  vendor_ = driver_->vendor ? driver_->vendor : "";
  declared_ = Declared(declaration_);
  int code = NNADAPTER_NO_ERROR;
  try {
    code = CallDriver(name_, "open_device", [&] { return driver_->open_device(&handle_); });
  } catch (const Error& error) {
    Fail(NNADAPTER_DEVICE_NOT_FOUND, error.what());
  }
  if (code != NNADAPTER_NO_ERROR) {
    Fail(NNADAPTER_DEVICE_NOT_FOUND, where, ": open_device returned ", code, " (",
         ResultCodeName(code), ")", Reason());
  }
}

bool Device::may_bind() const { return !library_.empty() && !last_error_ && !lends_memory; }

// One of hal.h, which says why it fails, is no public one.
bool Device::restores_wrongly() const {
  return !library_.empty() && !last_error_ && KnownDeviceRestoresWrongly(name_);
}

std::string Device::Reason() const {
  constexpr size_t kLongest = 4096;
  const char* text = nullptr;
  if (last_error_)
    CallDriver(name_, "__nnadapter_last_error__", [&] {
      text = last_error_();
      return NNADAPTER_NO_ERROR;
    });
  return text && *text ? ": " + std::string(text, strnlen(text, kLongest)) : "";
}

Device::~Device() {
  if (!driver_->close_device) return;
  const DriverCall now(name_.c_str(), "close_device");
  try {
    driver_->close_device(handle_);
  } catch (...) {
    Log(0, Text("device ", name_, ": close_device threw"));
  }
}

}  // namespace nnadapter::runtime

int NNAdapter_lendMemory(void) {
  nnadapter::runtime::lends_memory = true;
  return NNADAPTER_NO_ERROR;
}
