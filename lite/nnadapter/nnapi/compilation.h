// A compilation of NNAPI: a model, the client's wishes and, once finished, a network.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "lite/nnadapter/nnapi/network.h"

namespace nnadapter::nnapi {

class Compilation {
 public:
  // No devices: all, and the CPU for what they do not take. Throws Error(BAD_STATE) where the model
  // is not finished.
  Compilation(std::shared_ptr<const Model> model, std::vector<std::shared_ptr<Device>> chosen);

  // All throw Error; after Finish they are BAD_STATE.
  void SetPreference(int32_t preference);
  void SetPriority(int priority);
  void SetTimeout(uint64_t nanoseconds);
  void SetCaching(const std::string& dir, const uint8_t* token);
  void Finish();

  bool finished() const;
  const Model& model() const { return *model_; }
  // Throws Error(BAD_DATA) unless exactly one device was chosen.
  void RequireOneDevice() const;
  // The type of an input or output. Throws Error: BAD_STATE where this is not finished, BAD_DATA
  // where there is no such argument.
  const OperandType& ArgumentType(uint32_t index, bool output) const;
  // Of a finished one.
  Network& network() const { return *network_; }

 private:
  void RequireBuilding() const;

  const std::shared_ptr<const Model> model_;
  const std::vector<std::shared_ptr<Device>> chosen_;
  mutable std::mutex mutex_;
  CacheSettings cache_;
  uint64_t timeout_ = 0;
  std::unique_ptr<Network> network_;
  enum class State { kBuilding, kFinished, kFailed } state_ = State::kBuilding;
};

}  // namespace nnadapter::nnapi
