// A device that is open, and the guarded calls of its driver.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "lite/nnadapter/runtime/driver_call.h"
#include "lite/nnadapter/runtime/error.h"
#include "lite/nnadapter/runtime/library_abi.h"
#include "nnadapter/driver/device.h"

namespace nnadapter::runtime {

// The driver's answer as a result code: one that it does not have becomes DEVICE_INTERNAL_ERROR.
int DriverCode(int code);

// Calls a driver. What it throws becomes DEVICE_INTERNAL_ERROR with its text; an Error of our own
// that passes through it stays as it is.
template <typename Call>
int CallDriver(const std::string& device, const char* callback, Call&& call) {
  const DriverCall now(device.c_str(), callback);
  try {
    return DriverCode(call());
  } catch (const Error&) {
    throw;
#ifdef __GLIBCXX__
  } catch (abi::__forced_unwind&) {
    RestForEver();
#endif
  } catch (const std::bad_alloc&) {
    Fail(NNADAPTER_OUT_OF_MEMORY, "device ", device, ": ", callback, " ran out of memory");
  } catch (...) {
    Fail(NNADAPTER_DEVICE_INTERNAL_ERROR, "device ", device, ": ", callback,
         " threw: ", CurrentExceptionText());
  }
}

class Device {
 public:
  // Opens; throws Error(DEVICE_NOT_FOUND) where the driver refuses or lacks what it must have.
  // `library`: where it comes from, empty for one inside the process.
  // `explain`: null where the driver cannot say why it refuses an operation.
  // `last_error`: null where it cannot say why a callback failed.
  Device(std::string name, const driver::Device* driver, std::string library,
         driver::ExplainFunction explain = nullptr, driver::LastErrorFunction last_error = nullptr,
         LibraryAbi abi = LibraryAbi::kSame);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const std::string& name() const { return name_; }
  const std::string& vendor() const { return vendor_; }
  const std::string& library() const { return library_; }
  NNAdapterDeviceType type() const { return driver_->type; }
  int32_t version() const { return version_; }
  LibraryAbi abi() const { return abi_; }
  const driver::Device& driver() const { return *driver_; }
  void* handle() const { return handle_; }
  driver::ExplainFunction explain() const { return explain_; }
  // Why the callback failed that this thread has just called, with ": " before it; else empty.
  std::string Reason() const;
  // Whether it may use the memory of its first run in each later one, as android_nnapi does, and
  // nobody wants to see what it does to that (NNAdapter_lendMemory). Drivers of hal.h, which say
  // why they fail, ask for it in each run.
  bool may_bind() const;
  // Whether it is a public HAL that is known to restore its programs wrongly.
  bool restores_wrongly() const;
  // What a driver that cannot be asked declares in <device>.yaml beside its library.
  const std::optional<std::set<NNAdapterOperationType>>& declared_operations() const {
    return declared_;
  }
  // The path of <device>.yaml.
  const std::string& declaration() const { return declaration_; }

 private:
  const std::string name_;
  const driver::Device* const driver_;
  const std::string library_;
  std::string vendor_;
  int32_t version_ = 0;
  void* handle_ = nullptr;
  const driver::ExplainFunction explain_;
  const driver::LastErrorFunction last_error_;
  const LibraryAbi abi_;
  const std::string declaration_;
  std::optional<std::set<NNAdapterOperationType>> declared_;
};

// Reads the version without looking at any other field. Throws Error(DEVICE_NOT_FOUND).
int32_t CheckedVersion(const void* driver, const std::string& where);

}  // namespace nnadapter::runtime
