#include "lite/core/pack_cache.h"

#include <mutex>

namespace paddle::lite {

std::shared_ptr<const void> PackCache::GetOrMake(
    const Tensor* constant, const std::string& form,
    const std::function<std::shared_ptr<const void>()>& make) {
  // Held while packing: a second clone that wants the same weight waits instead of packing too.
  std::lock_guard<ForkSafeMutex> lock(mutex_);
  auto& entry = packed_[{constant, form}];
  if (entry == nullptr) entry = make();
  return entry;
}

}  // namespace paddle::lite
