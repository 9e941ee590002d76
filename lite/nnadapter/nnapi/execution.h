// An execution of NNAPI: arguments, and one computation, or more of a reusable one.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "lite/nnadapter/nnapi/compilation.h"
#include "lite/nnadapter/nnapi/memory.h"

namespace nnadapter::nnapi {

struct Burst {
  std::shared_ptr<Compilation> compilation;
  std::atomic<bool> busy{false};
};

class Execution {
 public:
  // Throws Error(BAD_STATE) where the compilation is not finished.
  explicit Execution(std::shared_ptr<Compilation> compilation);

  const Compilation& compilation() const { return *compilation_; }

  // All throw Error and change nothing where the arguments are not right.
  void SetBuffer(bool output, int32_t index, const ANeuralNetworksOperandType* type, void* buffer,
                 size_t length);
  void SetMemory(bool output, int32_t index, const ANeuralNetworksOperandType* type,
                 std::shared_ptr<Memory> memory, size_t offset, size_t length);
  void SetTimeout(uint64_t nanoseconds);
  void SetLoopTimeout(uint64_t nanoseconds);
  void SetMeasureTiming(bool measure);
  void SetReusable(bool reusable);
  void EnablePadding(bool enable);

  // From here on it runs: Compute must follow. Throws Error.
  void Begin();
  // Undoes Begin where Compute cannot follow.
  void Abandon();
  // Returns a result code; throws nothing. `timeout` 0: the one that was set.
  int Compute(uint64_t timeout = 0) noexcept;
  // The same without a computation: what it waited for failed.
  void FailWith(int code) noexcept;

  // Throw Error: BAD_STATE unless a computation is done.
  uint64_t Duration(int32_t code) const;
  // OUTPUT_INSUFFICIENT_SIZE where the buffer was too short; the shape is right then, too.
  int OutputShape(int32_t index, Dims* dims) const;

 private:
  struct Argument {
    bool set = false, left_out = false;
    Dims dims;  // what is known of them; 0 or none: unknown
    uint8_t* buffer = nullptr;
    size_t length = 0;
    std::shared_ptr<Memory> memory;
    size_t offset = 0;
  };
  struct Shape {
    Dims dims;
    bool insufficient = false;
  };
  enum class State { kPreparing, kRunning, kDone };

  void RequirePreparing() const;
  Argument& Place(bool output, int32_t index, OperandType* type);
  Dims KnownDims(bool output, const OperandType& operand,
                 const ANeuralNetworksOperandType* type) const;
  void CheckLength(bool output, const OperandType& operand, size_t length) const;
  void Run(uint64_t timeout);
  HostTensor Fetch(const Argument& argument, const OperandType& operand) const;
  void Deliver(size_t index, const HostResult& result);
  void SpoilOutputs();

  const std::shared_ptr<Compilation> compilation_;
  mutable std::mutex mutex_;
  State state_ = State::kPreparing;
  std::vector<Argument> inputs_, outputs_;
  std::vector<Shape> shapes_;
  int result_ = 0;
  bool reusable_ = false, padding_ = false, measure_ = false;
  uint64_t timeout_ = 0, loop_timeout_;
  uint64_t duration_ = UINT64_MAX;
};

}  // namespace nnadapter::nnapi
