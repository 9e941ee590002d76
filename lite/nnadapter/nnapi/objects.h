// What the handles of the C functions stand for. A handle is a number that is never given twice, so
// that a freed one is told from a live one; who uses an object keeps it.
#pragma once

#include <android/NeuralNetworks.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "lite/nnadapter/nnapi/barrier.h"
#include "lite/nnadapter/nnapi/event.h"
#include "lite/nnadapter/nnapi/execution.h"

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

template <typename Handle>
struct ObjectOf;
#define NNAPI_OBJECT(name, text)           \
  template <>                              \
  struct ObjectOf<ANeuralNetworks##name> { \
    using Type = name;                     \
    static constexpr char kName[] = text;  \
  }
NNAPI_OBJECT(Model, "model");
NNAPI_OBJECT(Compilation, "compilation");
NNAPI_OBJECT(Execution, "execution");
NNAPI_OBJECT(Memory, "memory");
NNAPI_OBJECT(MemoryDesc, "memory descriptor");
NNAPI_OBJECT(Event, "event");
NNAPI_OBJECT(Burst, "burst");
#undef NNAPI_OBJECT

template <typename Handle>
using LiveHandles = Handles<Handle, typename ObjectOf<Handle>::Type>;

// Throws Error: UNEXPECTED_NULL, or BAD_DATA where the handle is not live.
template <typename Handle>
std::shared_ptr<typename ObjectOf<Handle>::Type> Get(const Handle* handle) {
  return LiveHandles<Handle>::Live().Get(handle, ObjectOf<Handle>::kName);
}

// Fills *place, which is null where `make` throws.
template <typename Handle, typename Make>
int Create(const char* function, Handle** place, Make&& make) {
  return Barrier(function, [&] {
    *Required(place, "the place of the handle") = nullptr;
    *place = LiveHandles<Handle>::Live().Add(make());
  });
}

// Null and handles that are not live are left alone.
template <typename Handle>
std::shared_ptr<typename ObjectOf<Handle>::Type> Free(const Handle* handle) {
  return LiveHandles<Handle>::Live().Remove(handle);
}

// Throws Error: what the functions that take a list of devices answer to a wrong one.
std::vector<std::shared_ptr<Device>> DeviceList(const ANeuralNetworksDevice* const* devices,
                                                uint32_t count);

}  // namespace nnadapter::nnapi
