// A model on devices: what NNAdapter compiles, and the IFs and WHILEs between, which run here.
#pragma once

#include <chrono>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lite/nnadapter/nnapi/device.h"
#include "lite/nnadapter/nnapi/translate.h"

namespace nnadapter::nnapi {

using Clock = std::chrono::steady_clock;

// Elements as NNAPI has them.
struct HostTensor {
  Dims dims;                                        // complete; of a scalar empty
  std::shared_ptr<const std::vector<uint8_t>> own;  // keeps data, unless that is the client's
  const uint8_t* data = nullptr;
  size_t bytes = 0;
  bool left_out = false;
};

// Where an output goes: the client's buffer, if that is long enough, else `own`.
struct HostResult {
  uint8_t* buffer = nullptr;
  size_t capacity = 0;
  Dims dims;
  size_t bytes = 0;
  std::shared_ptr<std::vector<uint8_t>> own;
  // Where `bytes` are to be written; in `own` if the buffer is too short.
  uint8_t* Place(const Dims& shape, size_t size);
  HostTensor Tensor() const;
};

struct Limits {
  std::optional<Clock::time_point> deadline;
  std::chrono::nanoseconds loop{0};
  // Throws Error(MISSED_DEADLINE_TRANSIENT) where the deadline is over.
  void Check() const;
};

struct CacheSettings {
  std::string dir, token;  // empty: none
};

// What a model is compiled for.
struct Target {
  std::shared_ptr<Context> context;
  // For what `context` fails to compile; null where the client chose the devices.
  std::shared_ptr<Context> fallback;
  CacheSettings cache;
};

// A part of a model that NNAdapter compiles, for each set of shapes that comes.
class Segment {
 public:
  Segment(std::shared_ptr<const Model> model, const Target& target, size_t number,
          std::vector<size_t> operations, const std::set<uint32_t>& wanted);

  const std::vector<uint32_t>& inputs() const { return inputs_; }
  const std::vector<uint32_t>& outputs() const { return outputs_; }
  // Compiles for these shapes unless that was done. Throws Error(BAD_DATA) where the devices do not
  // take an operation, NeedsValue where that depends on an input's numbers.
  void Prepare(const std::vector<HostTensor>& inputs, std::map<uint32_t, Dims>* shapes);
  void Run(const std::vector<HostTensor>& inputs, const std::vector<HostResult*>& results);

 private:
  struct Program;
  std::shared_ptr<Program> ProgramFor(const std::vector<HostTensor>& inputs);
  std::vector<InputShape> ShapesOf(const std::vector<HostTensor>& inputs) const;
  std::shared_ptr<Program> Compile(const std::vector<InputShape>& shapes, const std::string& key);
  void Execute(Program* program, const std::vector<HostTensor>& inputs,
               const std::vector<HostResult*>& results);

  const std::shared_ptr<const Model> model_;
  const Target target_;
  const size_t number_;
  const std::vector<size_t> operations_;
  std::vector<uint32_t> inputs_, outputs_;
  std::mutex mutex_;
  std::set<uint32_t> needed_;                     // inputs whose numbers conversions need
  std::list<std::shared_ptr<Program>> programs_;  // the latest first
};

class Network {
 public:
  Network(std::shared_ptr<const Model> model, const Target& target);
  // Compiles what has known shapes; returns whether that is all. Throws Error(BAD_DATA).
  bool Prepare();
  // Throws Error.
  void Run(const std::vector<HostTensor>& inputs, const std::vector<HostResult*>& results,
           const Limits& limits);

 private:
  // One of the two.
  struct Stage {
    std::unique_ptr<Segment> segment;
    const Operation* control = nullptr;
  };
  using Values = std::map<uint32_t, HostTensor>;

  void Divide(const Target& target);
  HostTensor ValueOf(uint32_t operand, const Values& values) const;
  void RunIf(const Operation& operation, const Values& values,
             const std::vector<HostResult*>& results, const Limits& limits);
  void RunWhile(const Operation& operation, const Values& values,
                const std::vector<HostResult*>& results, const Limits& limits);
  Network& Child(uint32_t operand) { return *children_.at(operand); }

  const std::shared_ptr<const Model> model_;
  std::vector<Stage> stages_;
  std::map<uint32_t, std::unique_ptr<Network>> children_;  // by MODEL operand
};

// For each operation of a finished model in its own order: why the devices do not take it; empty
// where they do.
std::vector<std::string> Refusals(const Model& model, const Context& context);

}  // namespace nnadapter::nnapi
