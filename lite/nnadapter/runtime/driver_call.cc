#include "lite/nnadapter/runtime/driver_call.h"

#include <atomic>

namespace nnadapter::runtime {
namespace {

thread_local const DriverCall* running = nullptr;
std::atomic<const DriverCall*> latest{nullptr};

}  // namespace

DriverCall::DriverCall(const char* device, const char* callback)
    : device_(device), callback_(callback), outer_(running) {
  running = this;
  latest.store(this, std::memory_order_release);
}

DriverCall::~DriverCall() {
  running = outer_;
  const DriverCall* self = this;
  latest.compare_exchange_strong(self, outer_, std::memory_order_release,
                                 std::memory_order_relaxed);
}

const DriverCall* DriverCall::Running() {
  return running ? running : latest.load(std::memory_order_acquire);
}

}  // namespace nnadapter::runtime
