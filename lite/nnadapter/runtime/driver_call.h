// Which callback of which driver is running, for reports of crashes.
#pragma once

namespace nnadapter::runtime {

class DriverCall {
 public:
  // Both texts outlive this.
  DriverCall(const char* device, const char* callback);
  ~DriverCall();
  DriverCall(const DriverCall&) = delete;
  DriverCall& operator=(const DriverCall&) = delete;

  const char* device() const { return device_; }
  const char* callback() const { return callback_; }
  // The calling thread's, else the one that began last in any thread; null where there is none.
  static const DriverCall* Running();

 private:
  const char* const device_;
  const char* const callback_;
  const DriverCall* const outer_;
};

}  // namespace nnadapter::runtime
