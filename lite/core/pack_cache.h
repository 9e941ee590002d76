// PackCache: weights in the form that a kernel reads, made once and shared by plans and clones.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "lite/core/fork_safe_mutex.h"
#include "lite/core/kernel.h"

namespace paddle::lite {

class PackCache {
 public:
  // Returns the packed form, making it first where it is missing. `constant` identifies the
  // weight, its address must stay the same as long as the cache lives.
  std::shared_ptr<const void> GetOrMake(const Tensor* constant, const std::string& form,
                                        const std::function<std::shared_ptr<const void>()>& make);

 private:
  mutable ForkSafeMutex mutex_;
  std::map<std::pair<const Tensor*, std::string>, std::shared_ptr<const void>> packed_;
};

template <typename Packed, typename Pack>
std::shared_ptr<const Packed> KernelContext::PackedInput(std::string_view slot,
                                                         const std::string& form, Pack&& pack,
                                                         size_t index) {
  const Tensor* tensor = InputOrNull(slot, index);
  if (tensor == nullptr || !tensor->persistable()) return nullptr;
  auto make = [&]() -> std::shared_ptr<const void> {
    return std::make_shared<const Packed>(pack(*tensor));
  };
  std::shared_ptr<const void> packed =
      pack_cache_ == nullptr ? make() : pack_cache_->GetOrMake(tensor, form, make);
  packed_inputs_.insert(tensor);
  return std::static_pointer_cast<const Packed>(packed);
}

}  // namespace paddle::lite
