// Live handles. A handle of the C API is a number that is never given twice, so that one that was
// destroyed, or that is of another kind, is told from a live one.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "lite/nnadapter/runtime/error.h"
#include "lite/nnadapter/runtime/mutex.h"

namespace nnadapter::core {
struct Operand;
}

namespace nnadapter::runtime {

class Compilation;
class Context;
class Device;
class Execution;
class Model;

enum class HandleKind : uint8_t { kDevice = 1, kContext, kModel, kCompilation, kExecution };

const char* HandleKindName(HandleKind kind);
// A new handle value of this kind.
uintptr_t NewHandle(HandleKind kind);
// Why `handle` is no live one of this kind: null, of another kind, destroyed.
[[noreturn]] void FailHandle(HandleKind kind, const void* handle);

template <typename Object>
class HandleTable {
 public:
  explicit HandleTable(HandleKind kind) : kind_(kind) {}

  void* Add(std::shared_ptr<Object> object) {
    const uintptr_t handle = NewHandle(kind_);
    std::lock_guard<Mutex> lock(mutex_);
    live_.emplace(handle, std::move(object));
    return reinterpret_cast<void*>(handle);
  }

  // Throws INVALID_PARAMETER where the handle is not live.
  std::shared_ptr<Object> Get(const void* handle) const {
    {
      std::lock_guard<Mutex> lock(mutex_);
      auto found = live_.find(reinterpret_cast<uintptr_t>(handle));
      if (found != live_.end()) return found->second;
    }
    FailHandle(kind_, handle);
  }

  // The object is destroyed where the last of its users lets go.
  void Remove(const void* handle) {
    std::shared_ptr<Object> removed;
    {
      std::lock_guard<Mutex> lock(mutex_);
      auto found = live_.find(reinterpret_cast<uintptr_t>(handle));
      if (found != live_.end()) {
        removed = std::move(found->second);
        live_.erase(found);
      }
    }
    if (!removed) FailHandle(kind_, handle);
  }

 private:
  const HandleKind kind_;
  mutable Mutex mutex_;
  std::unordered_map<uintptr_t, std::shared_ptr<Object>> live_;
};

// The objects behind the C API's handles.
HandleTable<Device>& Devices();
HandleTable<Context>& Contexts();
HandleTable<Model>& Models();
HandleTable<Compilation>& Compilations();
HandleTable<Execution>& Executions();

// Which model an operand belongs to: the C API names operands without their model.
void RememberOperand(const core::Operand* operand, std::weak_ptr<Model> model);
void ForgetOperand(const core::Operand* operand) noexcept;
// Throws INVALID_PARAMETER where the operand is of no live model.
std::shared_ptr<Model> ModelOfOperand(const core::Operand* operand);

}  // namespace nnadapter::runtime
