// A device of this process whose answers are random: what a broken driver may do, short of writing
// where it was given no memory.
#pragma once

#include <string>

#include "nnadapter/driver/device.h"
#include "tests/cpp/mutate.h"

namespace paddle::lite::testing {

// Registered under the name while it lives; `hostility` is how often, in 1/1000, an answer is not
// that of builtin_device, which does the work. One of a name at a time; calls are for one thread.
class HostileHal {
 public:
  // Slot 0 or 1: two devices may live at once.
  HostileHal(int slot, std::string name, Random* random, size_t hostility);
  ~HostileHal();
  HostileHal(const HostileHal&) = delete;
  const std::string& name() const { return name_; }
  bool registered() const { return registered_; }

 private:
  const int slot_;
  const std::string name_;
  nnadapter::driver::Device device_{};
  bool registered_ = false;
};

}  // namespace paddle::lite::testing
