// What a process finds out once. A function's static would leave a forked child waiting for ever
// where another thread of the parent was finding it; here threads that meet find it each.
#pragma once

#include <atomic>
#include <memory>

namespace paddle::lite {

// The result of kFind(), which finds the same whenever it is called. Never destroyed.
template <auto kFind>
const auto& FoundOnce() {
  using Found = decltype(kFind());
  static std::atomic<const Found*> found{nullptr};
  const Found* first = found.load(std::memory_order_acquire);
  if (first != nullptr) return *first;
  auto mine = std::make_unique<const Found>(kFind());
  const bool won = found.compare_exchange_strong(first, mine.get(), std::memory_order_acq_rel,
                                                 std::memory_order_acquire);
  return won ? *mine.release() : *first;
}

}  // namespace paddle::lite
