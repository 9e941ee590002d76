// What the NNAdapter fuzzers share: handles that are let go in any order, checked result codes,
// random models and the memory behind them.
#pragma once

#include <cstring>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "nnadapter/core/types.h"
#include "tests/cpp/mutate.h"

namespace paddle::lite::testing {

// Bytes that one tensor of a case may have; what would be larger is not fed.
constexpr int64_t kLargestTensor = 1 << 20;

// The number in an enumeration's place, which may be none of its values.
template <typename Enum>
int32_t CodeOf(const Enum& value) {
  int32_t code;
  std::memcpy(&code, &value, sizeof(code));
  return code;
}
template <typename Enum>
void SetCode(Enum* to, int32_t code) {
  std::memcpy(to, &code, sizeof(code));
}

// Bytes of a tensor, -1 where that is nonsense or above kLargestTensor.
int64_t BytesOf(const NNAdapterOperandType& type);

struct OperandPlan {
  enum Kind { kInput, kConstant, kComputed } kind = kComputed;
  NNAdapterOperandType type{};
  std::vector<uint8_t> value;
  std::vector<float> scales;
};

struct OperationPlan {
  int32_t type = 0;
  std::vector<int> inputs, outputs;  // numbers of operands, -1: null
};

struct ModelPlan {
  std::vector<OperandPlan> operands;
  std::vector<OperationPlan> operations;
};

// Something random where `exotic` is about how much of it no sane caller would say, in 1/1000.
class RandomParts {
 public:
  RandomParts(Random* random, size_t exotic) : random_(*random), exotic_(exotic) {}

  bool Chance(size_t in) { return random_.Below(in) == 0; }
  bool Exotic() { return random_.Below(1000) < exotic_; }
  template <typename List>
  const auto& Pick(const List& list) {
    return list[random_.Below(list.size())];
  }
  // A number that a program may trip over.
  int32_t Odd();
  std::vector<int32_t> Shape();
  NNAdapterOperandType Type(const std::vector<int32_t>& shape, int32_t precision,
                            std::vector<float>* scales);
  ModelPlan Plan();
  std::string Properties();

 private:
  int AddTensor(ModelPlan* plan, const std::vector<int32_t>& shape, int32_t precision);
  int AddScalar(ModelPlan* plan, int kind);

  Random& random_;
  const size_t exotic_;
};

// Where an execution's inputs and outputs are; both outlive it.
struct Source {
  Random* random;
  NNAdapterOperandType type;
  bool hostile;  // answers nonsense now and then
  // Of every time that it was asked: a device may ask again and read what it got first.
  std::list<std::vector<uint8_t>> answers;
};
void* AccessSource(void* source, NNAdapterOperandType* type, void* device_buffer);
// Takes what comes, and reads every byte of it when the execution is over.
struct Sink {
  Random* random;
  bool hostile;
  std::unique_ptr<uint8_t[]> memory;
  int64_t bytes = 0;
};
void* AccessSink(void* sink, NNAdapterOperandType* type, void* device_buffer);

struct Violation : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Live handles of one case. Its end destroys them in a random order.
class Bench {
 public:
  explicit Bench(Random* random) : random_(*random) {}
  ~Bench() { DestroyAll(); }
  Bench(const Bench&) = delete;

  // A result code, and a text with every error; throws Violation otherwise. True for NO_ERROR.
  bool Ok(int code, const char* call);

  NNAdapterDevice* Device(const char* name);
  NNAdapterContext* Context(std::vector<NNAdapterDevice*> devices, const char* properties);
  // A finished model, or null where nothing in the plan can be added or it cannot be finished.
  NNAdapterModel* Model(const ModelPlan& plan);
  NNAdapterCompilation* Compile(NNAdapterModel* model, const char* token, const char* dir,
                                const std::vector<uint8_t>& buffer, NNAdapterContext* context);
  // Asks for the types, runs and reads what comes out.
  void Execute(NNAdapterCompilation* compilation, bool hostile);

  enum Kind { kDevice, kContext, kModel, kCompilation, kExecution, kKinds };
  // Destroys one; what the kinds' functions do with what is no handle is their affair.
  static void Destroy(Kind kind, void* handle);
  void DestroyAll();
  void Keep(Kind kind, void* handle) { live_.push_back({kind, handle}); }

  // Memory of the case: constants by reference, scales, sources.
  std::list<std::vector<uint8_t>> memory;
  std::list<Source> sources;
  std::list<Sink> sinks;
  int computed = 0;  // executions that succeeded

 private:
  NNAdapterModel* TryModel(const ModelPlan& plan, std::vector<bool>* skip, bool* again);

  Random& random_;
  struct Live {
    Kind kind;
    void* handle;
  };
  std::vector<Live> live_;
};

}  // namespace paddle::lite::testing
