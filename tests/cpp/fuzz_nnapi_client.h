// The client that fuzz_nnapi plays: random models of the table's operations, random arguments,
// handles that were freed, memories that shrink.
#pragma once

#include <android/NeuralNetworks.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <random>
#include <vector>

namespace paddle::lite::testing {

// A model as the fuzzer remembers it.
struct Sketch {
  ANeuralNetworksModel* model = nullptr;
  std::vector<int32_t> codes;
  std::vector<std::vector<uint32_t>> dims;
  std::vector<uint32_t> inputs, outputs;
};

class Client {
 public:
  explicit Client(uint64_t seed) : random_(seed) {}
  ~Client();

  void Play();
  uint64_t accepted = 0, refused = 0, computed = 0;

 private:
  uint64_t Below(uint64_t bound) { return random_() % bound; }
  bool Once(uint64_t in) { return Below(in) == 0; }
  template <typename T>
  T* Any(const std::vector<T*>& list) {
    if (list.empty() || Once(40)) return Once(2) ? nullptr : reinterpret_cast<T*>(uintptr_t{0x123});
    return list[list.size() - 1 - Below(std::min<size_t>(list.size(), Once(4) ? list.size() : 3))];
  }
  template <typename T>
  void Keep(std::vector<T*>* list, T* handle) {
    if (handle) list->push_back(handle);
  }
  bool Code(int code) {
    if (code < ANEURALNETWORKS_NO_ERROR || code > ANEURALNETWORKS_DEAD_OBJECT) std::abort();
    ++(code == ANEURALNETWORKS_NO_ERROR ? accepted : refused);
    return code == ANEURALNETWORKS_NO_ERROR;
  }
  uint8_t* Bytes(size_t size);

  uint32_t AddOperand(Sketch* sketch, int32_t code, std::vector<uint32_t> dims, bool constant);
  void AddOperation(Sketch* sketch);
  void AddSum(Sketch* sketch);
  void BuildModel();
  void DisturbModel();
  void Compile();
  void MakeExecution();
  void SetArguments(ANeuralNetworksExecution* execution, const Sketch& sketch);
  void UseExecution();
  void MakeMemory();
  void MakeDesc();
  void UseEvents();
  void FreeSomething();

  std::mt19937_64 random_;
  std::deque<std::vector<uint8_t>> buffers_;
  std::vector<Sketch> sketches_;
  std::vector<ANeuralNetworksModel*> models_;
  std::vector<ANeuralNetworksCompilation*> compilations_;
  std::vector<size_t> sketch_of_compilation_, sketch_of_execution_;
  std::vector<ANeuralNetworksExecution*> executions_;
  std::vector<ANeuralNetworksMemory*> memories_;
  std::vector<ANeuralNetworksMemoryDesc*> descs_;
  std::vector<ANeuralNetworksEvent*> events_;
  std::vector<ANeuralNetworksBurst*> bursts_;
  std::vector<int> files_;
};

}  // namespace paddle::lite::testing
