#include "lite/core/pack_cache.h"

#include <mutex>

#include "lite/core/base/weight_memory.h"

namespace paddle::lite {
namespace {

// Tells this thread's weight memory what is packed.
class Packing {
 public:
  Packing(const Tensor* constant, const std::string& form) : memory_(math::CurrentWeightMemory()) {
    if (memory_ != nullptr) memory_->Begin(constant, form);
  }
  ~Packing() {
    if (memory_ != nullptr) memory_->End();
  }
  Packing(const Packing&) = delete;
  Packing& operator=(const Packing&) = delete;

 private:
  math::WeightMemory* const memory_;
};

}  // namespace

std::shared_ptr<const void> PackCache::GetOrMake(
    const Tensor* constant, const std::string& form,
    const std::function<std::shared_ptr<const void>()>& make,
    const std::function<std::string()>& form_of) {
  // Held while packing: a second clone that wants the same weight waits instead of packing too.
  std::lock_guard<ForkSafeMutex> lock(mutex_);
  auto& entry = packed_[{constant, form}];
  if (entry != nullptr) return entry;
  const Packing packing(constant, form_of ? form_of() : form);
  return entry = make();
}

}  // namespace paddle::lite
