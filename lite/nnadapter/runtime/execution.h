// Where a compilation's inputs come from and its outputs go.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "lite/nnadapter/runtime/compilation.h"
#include "lite/nnadapter/runtime/mutex.h"

namespace nnadapter::runtime {

using Access = void* (*)(void* memory, NNAdapterOperandType* type, void* device_buffer);

class Execution {
 public:
  explicit Execution(std::shared_ptr<Compilation> compilation);

  void SetInput(int32_t index, void* memory, Access access);
  void SetOutput(int32_t index, void* memory, Access access);
  void Compute();

 private:
  static void Set(std::vector<core::Argument>* arguments, int32_t index, void* memory,
                  Access access, const char* what);

  const std::shared_ptr<Compilation> compilation_;
  Mutex mutex_;
  std::vector<core::Argument> inputs_, outputs_;
};

}  // namespace nnadapter::runtime
