#pragma once

#include <deque>
#include <string>
#include <vector>

#include "lite/nnadapter/device_test/compare.h"
#include "lite/nnadapter/device_test/model.h"

namespace device_test {

// A compiled model with its inputs; ApiError where the device does not compile it.
class Execution {
 public:
  Execution(const Model& model, NNAdapterContext* context);
  ~Execution();
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  // std::runtime_error where the device computes nothing, or what has no room.
  std::vector<Found> Run();
  // Nothing, or which input the device wrote to.
  std::string ChangedInputs() const;

 private:
  // What an access function gets.
  struct Input {
    const Operand* operand;
    std::vector<uint8_t> bytes;
  };
  struct Output {
    Found found;
    bool asked = false;
    std::string error;
  };
  static void* Read(void* memory, NNAdapterOperandType* type, void* device_buffer);
  static void* Write(void* memory, NNAdapterOperandType* type, void* device_buffer);
  void Create(const Model& model, NNAdapterContext* context);
  void Destroy();

  std::deque<Input> inputs_;
  std::deque<Output> outputs_;  // where they are in the first run: a driver may bind it
  NNAdapterCompilation* compilation_ = nullptr;
  NNAdapterExecution* execution_ = nullptr;
};

}  // namespace device_test
