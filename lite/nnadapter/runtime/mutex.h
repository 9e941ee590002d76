// The runtime's locks: a forked child finds them open, and a thread that holds one is told so.
#pragma once

#include <atomic>

#include "lite/core/fork_safe_mutex.h"
#include "lite/nnadapter/runtime/error.h"

namespace nnadapter::runtime {

class Mutex {
 public:
  // Throws Error(INVALID_PARAMETER) where the thread holds it already: a driver or a callback calls
  // what waits for it.
  void lock() {
    const uint64_t generation = ::paddle::lite::ForkGeneration();
    if (owner_.load(std::memory_order_relaxed) == Self() && generation_ == generation)
      FailParameter("it is called from inside a call that is still running on the same object");
    mutex_.lock();
    generation_ = generation;
    owner_.store(Self(), std::memory_order_relaxed);
  }
  void unlock() {
    owner_.store(nullptr, std::memory_order_relaxed);
    mutex_.unlock();
  }

 private:
  // An address that no other living thread has.
  static const void* Self() {
    static thread_local const char self = 0;
    return &self;
  }

  ::paddle::lite::ForkSafeMutex mutex_;
  std::atomic<const void*> owner_{nullptr};
  std::atomic<uint64_t> generation_{0};
};

}  // namespace nnadapter::runtime
