#include "lite/nnadapter/runtime/context.h"

#include <algorithm>
#include <cctype>
#include <memory>

#include "lite/nnadapter/runtime/core_model.h"
#include "lite/nnadapter/runtime/declared_operations.h"
#include "lite/nnadapter/runtime/lent_model.h"
#include "lite/nnadapter/runtime/refusal.h"

namespace nnadapter::runtime {
namespace {

constexpr const char kOperationsKey[] = "SUPPORTED_OPERATIONS";

std::string UpperCase(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// <DEVICE>_SUPPORTED_OPERATIONS before SUPPORTED_OPERATIONS before the file beside the library.
std::optional<std::set<NNAdapterOperationType>> Declared(const Device& device,
                                                         const Properties& properties,
                                                         std::string* source) {
  for (const std::string& key :
       {UpperCase(device.name()) + "_" + kOperationsKey, std::string(kOperationsKey)}) {
    for (const auto& [name, value] : properties) {
      if (name != key) continue;
      *source = "the property " + key;
      return ParseOperationList(value);
    }
  }
  if (device.declared_operations()) *source = device.declaration();
  return device.declared_operations();
}

}  // namespace

Properties ParseProperties(const std::string& text) {
  Properties properties;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(';', begin), text.size());
    const std::string section = text.substr(begin, end - begin);
    const size_t equal = section.find('=');
    if (section.empty()) FailParameter("an empty section in the properties '", text, "'");
    if (equal == std::string::npos || equal == 0 || equal + 1 == section.size() ||
        section.find('=', equal + 1) != std::string::npos) {
      FailParameter("'", section, "' in the properties is not of the form key=value");
    }
    properties.emplace_back(section.substr(0, equal), section.substr(equal + 1));
    begin = end + 1;
  }
  return properties;
}

DeviceContext::DeviceContext(std::shared_ptr<Device> device, const std::string& text,
                             const Properties& properties,
                             int (*callback)(int event_id, void* user_data))
    : device_(std::move(device)), declared_(Declared(*device_, properties, &declared_in_)) {
  const driver::Device& driver = device_->driver();
  const int code = CallDriver(name(), "create_context", [&] {
    return driver.create_context(device_->handle(), text.c_str(), callback, &handle_);
  });
  if (code != NNADAPTER_NO_ERROR) {
    Fail(code, "device ", name(), ": create_context returned ", code, " (", ResultCodeName(code),
         ")", device_->Reason());
  }
}

DeviceContext::~DeviceContext() {
  const driver::Device& driver = device_->driver();
  if (!driver.destroy_context) return;
  const DriverCall now(name().c_str(), "destroy_context");
  try {
    driver.destroy_context(handle_);
  } catch (...) {
    Log(0, Text("device ", name(), ": destroy_context threw"));
  }
}

std::string DeviceContext::Explain(const core::Operation& operation) const {
  const driver::ExplainFunction explain = device_->explain();
  if (!explain) return {};
  char text[1024] = {};
  const int code = CallDriver(name(), "explain", [&] {
    std::lock_guard<Mutex> lock(mutex_);
    return explain(handle_, &operation, text, sizeof(text));
  });
  text[sizeof(text) - 1] = '\0';
  return code == NNADAPTER_NO_ERROR ? text : "";
}

std::optional<std::vector<bool>> DeviceContext::Supported(const core::Model& model,
                                                          std::vector<std::string>* reasons) const {
  const size_t count = model.operations.size();
  const RefusalSink sink(reasons, count);
  std::vector<bool> supported(count, false);
  const driver::Device& driver = device_->driver();
  if (driver.validate_program) {
    std::unique_ptr<OwnedModel> copy;
    std::unique_ptr<LentModel> lent;
    const core::Model* asked = &model;
    if (device_->abi() == LibraryAbi::kOldLists) {
      copy = CopyModel(model, std::vector<bool>(count, true), model.input_operands,
                       model.output_operands, CopiedConstants::kSmall);
      lent = std::make_unique<LentModel>(&copy->model);
      asked = lent->model();
    }
    // Bytes: a driver may write any number where a bool belongs.
    std::vector<uint8_t> answers(count + 1, 0);
    static_assert(sizeof(bool) == 1, "ABI");
    const int code = CallDriver(name(), "validate_program", [&] {
      std::lock_guard<Mutex> lock(mutex_);
      return driver.validate_program(handle_, asked, reinterpret_cast<bool*>(answers.data()));
    });
    if (code == NNADAPTER_NO_ERROR) {
      size_t i = 0;
      for (const core::Operation& operation : model.operations) {
        supported[i] = answers[i] != 0;
        if (reasons && !supported[i] && (*reasons)[i].empty()) (*reasons)[i] = Explain(operation);
        ++i;
      }
      return supported;
    }
    if (code != NNADAPTER_FEATURE_NOT_SUPPORTED) {
      Fail(code, "device ", name(), ": validate_program returned ", code, " (",
           ResultCodeName(code), ")", device_->Reason());
    }
  }
  std::vector<std::string> refusals;
  if (declared_) {
    for (const core::Operation& operation : model.operations)
      refusals.push_back(declared_->count(operation.type) ? "" : "it is not in " + Judge());
  } else if (IsKnownDevice(name())) {
    refusals = KnownDeviceRefusals(name(), model);
  } else {
    return std::nullopt;
  }
  for (size_t i = 0; i < count; ++i) {
    supported[i] = refusals[i].empty();
    if (reasons && !supported[i]) (*reasons)[i] = refusals[i];
  }
  return supported;
}

std::string DeviceContext::Judge() const {
  if (declared_) return declared_in_;
  return IsKnownDevice(name()) ? "the public list of " + name() : "";
}

Context::Context(const std::vector<std::shared_ptr<Device>>& devices, const std::string& properties,
                 int (*callback)(int event_id, void* user_data))
    : properties_(properties) {
  const Properties parsed = ParseProperties(properties);
  for (const std::shared_ptr<Device>& device : devices)
    devices_.push_back(std::make_unique<DeviceContext>(device, properties, parsed, callback));
}

}  // namespace nnadapter::runtime
