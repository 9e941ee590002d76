// A mutex that a forked child finds unlocked, whatever thread of the parent held it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

namespace paddle::lite {

// Grows by one in the child of every fork; 0 in the first process.
uint64_t ForkGeneration();

class ForkSafeMutex {
 public:
  ForkSafeMutex() : held_(new Held) {}
  ~ForkSafeMutex() { delete held_.load(std::memory_order_acquire); }
  ForkSafeMutex(const ForkSafeMutex&) = delete;
  ForkSafeMutex& operator=(const ForkSafeMutex&) = delete;

  void lock() { Current().lock(); }
  bool try_lock() { return Current().try_lock(); }
  void unlock() { held_.load(std::memory_order_relaxed)->mutex.unlock(); }

 private:
  struct Held {
    const uint64_t generation = ForkGeneration();
    std::mutex mutex;
  };

  std::mutex& Current() {
    Held* held = held_.load(std::memory_order_acquire);
    if (held->generation == ForkGeneration()) return held->mutex;
    // Maybe locked for ever: leak it rather than destroy a locked mutex. Of several threads that
    // the child has started by now one brings the new one.
    auto fresh = std::make_unique<Held>();
    if (held_.compare_exchange_strong(held, fresh.get(), std::memory_order_acq_rel,
                                      std::memory_order_acquire))
      held = fresh.release();
    return held->mutex;
  }

  std::atomic<Held*> held_;
};

}  // namespace paddle::lite
