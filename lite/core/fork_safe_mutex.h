// A mutex that a forked child finds unlocked, whatever thread of the parent held it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

namespace paddle::lite {

// Grows by one in the child of every fork; 0 in the first process.
uint64_t ForkGeneration();

class ForkSafeMutex {
 public:
  ForkSafeMutex() : generation_(ForkGeneration()), mutex_(std::make_unique<std::mutex>()) {}
  void lock() { Current().lock(); }
  bool try_lock() { return Current().try_lock(); }
  void unlock() { mutex_->unlock(); }

 private:
  std::mutex& Current() {
    // The child of a fork has one thread, so nobody races for this exchange.
    if (generation_ != ForkGeneration()) {
      mutex_.release();  // maybe locked for ever: leak it rather than destroy a locked mutex
      mutex_ = std::make_unique<std::mutex>();
      generation_ = ForkGeneration();
    }
    return *mutex_;
  }

  uint64_t generation_;
  std::unique_ptr<std::mutex> mutex_;
};

}  // namespace paddle::lite
