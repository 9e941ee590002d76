// PackCache: weights in the form that a kernel reads, made once and shared by plans and clones.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "lite/core/fork_safe_mutex.h"

namespace paddle::lite {

class Tensor;

class PackCache {
 public:
  // Returns the packed form, making it first where it is missing. `constant` identifies the
  // weight, its address must stay the same as long as the cache lives.
  // `form_of`, if given, says more exactly what is made: asked only then.
  std::shared_ptr<const void> GetOrMake(const Tensor* constant, const std::string& form,
                                        const std::function<std::shared_ptr<const void>()>& make,
                                        const std::function<std::string()>& form_of = nullptr);

 private:
  mutable ForkSafeMutex mutex_;
  std::map<std::pair<const Tensor*, std::string>, std::shared_ptr<const void>> packed_;
};

}  // namespace paddle::lite
