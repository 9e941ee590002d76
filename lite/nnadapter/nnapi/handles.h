// Live handles. A handle is a number that is never given twice, so that a freed one is told from a
// live one; who uses an object keeps it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "lite/nnadapter/nnapi/error.h"

namespace nnadapter::nnapi {

template <typename T>
T* Required(T* pointer, const char* what) {
  if (!pointer) Fail(ANEURALNETWORKS_UNEXPECTED_NULL, what, " is null");
  return pointer;
}

template <typename Handle, typename Object>
class Handles {
 public:
  // One for the process, never destroyed: handles may be used while the process ends.
  static Handles& Live() {
    static auto* handles = new Handles();
    return *handles;
  }

  Handle* Add(std::shared_ptr<Object> object) {
    std::lock_guard<std::mutex> lock(mutex_);
    next_ += 16;  // as aligned as a pointer
    live_.emplace(next_, std::move(object));
    return reinterpret_cast<Handle*>(next_);
  }

  // Throws Error: UNEXPECTED_NULL, or BAD_DATA where the handle is not live.
  std::shared_ptr<Object> Get(const Handle* handle, const char* what) const {
    Required(handle, what);
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = live_.find(reinterpret_cast<uintptr_t>(handle));
    if (found == live_.end()) FailData("there is no such ", what, ": it may have been freed");
    return found->second;
  }

  // Null where the handle is not live.
  std::shared_ptr<Object> Remove(const Handle* handle) noexcept {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = live_.find(reinterpret_cast<uintptr_t>(handle));
    if (found == live_.end()) return nullptr;
    std::shared_ptr<Object> removed = std::move(found->second);
    live_.erase(found);
    return removed;
  }

 private:
  mutable std::mutex mutex_;
  uintptr_t next_ = 0;
  std::unordered_map<uintptr_t, std::shared_ptr<Object>> live_;
};

}  // namespace nnadapter::nnapi
