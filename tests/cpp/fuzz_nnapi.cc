// NNAPI under clients that call anything in any order with anything: every call must come back with
// a code; no crash, no hang, no leak. Random models of the table's operations, random arguments,
// handles that were freed, memories that shrink.
//
//   fuzz_nnapi [--seed N] [--count N] [--only N]
//
// Without --seed every run takes another one, and prints it.
#include <android/NeuralNetworks.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "lite/nnadapter/nnapi/table.h"
#include "tests/cpp/watch.h"

namespace paddle::lite::testing {
namespace {

using nnadapter::nnapi::FindOperandCode;
using nnadapter::nnapi::FindOperation;
using nnadapter::nnapi::Signature;
using nnadapter::nnapi::Word;

constexpr int kOperations = ANEURALNETWORKS_REVERSE + 1, kTypes = ANEURALNETWORKS_MODEL + 1;

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

Client::~Client() {
  // Events first: what runs writes to the buffers.
  for (auto* event : events_) ANeuralNetworksEvent_free(event);
  for (auto* model : models_) ANeuralNetworksModel_free(model);
  for (auto* compilation : compilations_) ANeuralNetworksCompilation_free(compilation);
  for (auto* execution : executions_) ANeuralNetworksExecution_free(execution);
  for (auto* memory : memories_) ANeuralNetworksMemory_free(memory);
  for (auto* desc : descs_) ANeuralNetworksMemoryDesc_free(desc);
  for (auto* burst : bursts_) ANeuralNetworksBurst_free(burst);
  for (int fd : files_) close(fd);
}

// They stay until the client ends.
uint8_t* Client::Bytes(size_t size) {
  std::vector<uint8_t>& bytes = buffers_.emplace_back(size + 1);
  const uint64_t kind = Below(4);
  for (size_t i = 0; i < size; ++i)
    bytes[i] = kind == 0   ? static_cast<uint8_t>(random_())
               : kind == 1 ? 0
                           : static_cast<uint8_t>(i % 4 == 0 ? Below(3) : 0);  // small int32
  return bytes.data();
}

uint32_t Client::AddOperand(Sketch* sketch, int32_t code, std::vector<uint32_t> dims,
                            bool constant) {
  const auto* info = FindOperandCode(code);
  if (!info->tensor) dims.clear();
  ANeuralNetworksOperandType type{code, static_cast<uint32_t>(dims.size()), dims.data(),
                                  info->scaled ? 0.5f : 0.0f, 0};
  if (Once(60)) type.zeroPoint = static_cast<int32_t>(Below(300));
  if (Once(100)) type.scale = -1;
  if (!Code(ANeuralNetworksModel_addOperand(sketch->model, &type))) {
    if (sketch->codes.empty()) return 0;
    return static_cast<uint32_t>(Below(sketch->codes.size()));
  }
  const auto index = static_cast<uint32_t>(sketch->codes.size());
  size_t size = info->size;
  for (uint32_t extent : dims) size *= extent;
  sketch->codes.push_back(code);
  sketch->dims.push_back(dims);
  const auto at = static_cast<int32_t>(index);
  if (code == ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL && !dims.empty() && !Once(20)) {
    const std::vector<float> scales(dims[0], 0.25f);
    const ANeuralNetworksSymmPerChannelQuantParams params{0, dims[0], scales.data()};
    Code(ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(sketch->model, at, &params));
  }
  if (code == ANEURALNETWORKS_MODEL) {
    Code(ANeuralNetworksModel_setOperandValueFromModel(sketch->model, at, Any(models_)));
  } else if (constant && Once(30)) {
    Code(ANeuralNetworksModel_setOperandValue(sketch->model, at, nullptr, 0));
  } else if (constant && Once(12)) {
    Code(ANeuralNetworksModel_setOperandValueFromMemory(sketch->model, at, Any(memories_), Below(9),
                                                        size));
  } else if (constant) {
    Code(ANeuralNetworksModel_setOperandValue(sketch->model, at, Bytes(size),
                                              Once(50) ? size + 1 : size));
  } else {
    sketch->inputs.push_back(index);
  }
  return index;
}

// One of the table's, after one of its signatures; its results may be read by the next.
void Client::AddOperation(Sketch* sketch) {
  const auto code = static_cast<int32_t>(Below(kOperations));
  const auto& signatures = FindOperation(code)->signatures;
  const Signature& signature = signatures[Below(signatures.size())];
  static const uint32_t kExtents[] = {1, 2, 3, 4, 8};
  std::vector<uint32_t> shape(Once(3) ? 4 : Below(4) + 1);
  for (uint32_t& extent : shape) extent = Once(15) ? 0 : kExtents[Below(5)];
  int32_t bound[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
  const auto type_of = [&](const Word& word) {
    if (word.variable > 0 && bound[word.variable] >= 0) return bound[word.variable];
    int32_t type = 0;
    do type = static_cast<int32_t>(Below(kTypes));
    while (!(word.types >> type & 1));
    if (word.variable > 0) bound[word.variable] = type;
    return type;
  };
  std::vector<uint32_t> inputs, outputs;
  for (size_t i = 0; i < signature.inputs.size(); ++i) {
    if (i >= signature.required && Once(2)) break;
    const Word& word = signature.inputs[i];
    for (uint64_t n = word.repeated ? Below(4) : 1; n > 0; --n) {
      const int32_t type = type_of(word);
      std::vector<uint32_t> dims = shape;
      if (i > 0 && Once(3)) dims.resize(1 + Below(dims.size()));
      if (i > 0 && type == ANEURALNETWORKS_TENSOR_INT32) dims = {kExtents[Below(5)]};
      std::vector<uint32_t> fitting;
      for (uint32_t known : sketch->outputs)
        if (sketch->codes[known] == type) fitting.push_back(known);
      if (!fitting.empty() && Once(2))
        inputs.push_back(fitting[Below(fitting.size())]);
      else
        inputs.push_back(AddOperand(sketch, type, dims, i > 0 && !Once(10)));
    }
  }
  for (const Word& word : signature.outputs) {
    for (uint64_t n = word.repeated ? 1 + Below(3) : 1; n > 0; --n) {
      std::vector<uint32_t> dims = Once(2) ? std::vector<uint32_t>() : shape;
      const uint32_t index = AddOperand(sketch, type_of(word), dims, false);
      if (!sketch->inputs.empty() && sketch->inputs.back() == index) sketch->inputs.pop_back();
      outputs.push_back(index);
    }
  }
  if (Once(40)) std::swap(inputs, outputs);
  if (Code(ANeuralNetworksModel_addOperation(
          sketch->model, code, static_cast<uint32_t>(inputs.size()), inputs.data(),
          static_cast<uint32_t>(outputs.size()), outputs.data())))
    sketch->outputs.insert(sketch->outputs.end(), outputs.begin(), outputs.end());
}

// One that is right, unless AddOperand made it wrong: so that there is much to compute.
void Client::AddSum(Sketch* sketch) {
  static const int32_t kTensors[] = {ANEURALNETWORKS_TENSOR_FLOAT32, ANEURALNETWORKS_TENSOR_FLOAT16,
                                     ANEURALNETWORKS_TENSOR_QUANT8_ASYMM,
                                     ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED,
                                     ANEURALNETWORKS_TENSOR_INT32};
  const int32_t code = kTensors[Below(5)], none = 0;
  const std::vector<uint32_t> dims{Once(3) ? 0 : static_cast<uint32_t>(1 + Below(4)), 3};
  const uint32_t a = AddOperand(sketch, code, dims, false);
  const uint32_t b = AddOperand(sketch, code, {3}, Once(2));
  const uint32_t act = AddOperand(sketch, ANEURALNETWORKS_INT32, {}, true);
  const uint32_t sum = AddOperand(sketch, code, dims, false);
  if (!sketch->inputs.empty() && sketch->inputs.back() == sum) sketch->inputs.pop_back();
  Code(ANeuralNetworksModel_setOperandValue(sketch->model, static_cast<int32_t>(act), &none, 4));
  const uint32_t inputs[] = {a, b, act};
  if (Code(ANeuralNetworksModel_addOperation(sketch->model, ANEURALNETWORKS_ADD, 3, inputs, 1,
                                             &sum)))
    sketch->outputs.push_back(sum);
}

void Client::BuildModel() {
  Sketch sketch;
  Code(ANeuralNetworksModel_create(&sketch.model));
  if (Once(2))
    AddSum(&sketch);
  else
    for (uint64_t n = 1 + Below(3); n > 0; --n) AddOperation(&sketch);
  if (Once(4)) Code(ANeuralNetworksModel_relaxComputationFloat32toFloat16(sketch.model, true));
  Code(ANeuralNetworksModel_identifyInputsAndOutputs(
      sketch.model, static_cast<uint32_t>(sketch.inputs.size()), sketch.inputs.data(),
      static_cast<uint32_t>(sketch.outputs.size()), sketch.outputs.data()));
  Code(ANeuralNetworksModel_finish(sketch.model));
  models_.push_back(sketch.model);
  sketches_.push_back(std::move(sketch));
}

void Client::DisturbModel() {
  ANeuralNetworksModel* model = Any(models_);
  const uint32_t indices[] = {static_cast<uint32_t>(Below(4)), static_cast<uint32_t>(Below(9))};
  const auto index = static_cast<int32_t>(Below(12)) - 1;
  switch (Below(5)) {
    case 0:
      Code(ANeuralNetworksModel_identifyInputsAndOutputs(model, 1, indices, 1, indices + 1));
      break;
    case 1:
      Code(ANeuralNetworksModel_finish(model));
      break;
    case 2:
      Code(ANeuralNetworksModel_setOperandValue(model, index, Bytes(64), Below(64)));
      break;
    case 3:
      Code(ANeuralNetworksModel_setOperandValueFromModel(model, index, Any(models_)));
      break;
    default: {
      ANeuralNetworksDevice* device = nullptr;
      bool supported[64];
      Code(ANeuralNetworks_getDevice(static_cast<uint32_t>(Below(2)), &device));
      Code(ANeuralNetworksModel_getSupportedOperationsForDevices(model, &device, 1, supported));
    }
  }
}

void Client::Compile() {
  if (sketches_.empty()) return BuildModel();
  const size_t at = sketches_.size() - 1 - Below(std::min<size_t>(sketches_.size(), 3));
  ANeuralNetworksCompilation* compilation = nullptr;
  ANeuralNetworksDevice* device = nullptr;
  if (Once(2)) {
    Code(ANeuralNetworksCompilation_create(sketches_[at].model, &compilation));
  } else {
    Code(ANeuralNetworks_getDevice(0, &device));
    Code(
        ANeuralNetworksCompilation_createForDevices(sketches_[at].model, &device, 1, &compilation));
  }
  if (!compilation) return;
  Code(ANeuralNetworksCompilation_setPreference(compilation, static_cast<int32_t>(Below(4))));
  Code(ANeuralNetworksCompilation_setPriority(compilation, static_cast<int>(90 + 5 * Below(5))));
  if (Once(5)) Code(ANeuralNetworksCompilation_setTimeout(compilation, random_()));
  if (!Once(10)) Code(ANeuralNetworksCompilation_finish(compilation));
  compilations_.push_back(compilation);
  sketch_of_compilation_.push_back(at);
}

void Client::MakeExecution() {
  if (compilations_.empty()) return Compile();
  const size_t at = compilations_.size() - 1 - Below(std::min<size_t>(compilations_.size(), 3));
  ANeuralNetworksExecution* execution = nullptr;
  if (!Code(ANeuralNetworksExecution_create(compilations_[at], &execution))) return;
  executions_.push_back(execution);
  sketch_of_execution_.push_back(sketch_of_compilation_[at]);
  if (Once(5)) Code(ANeuralNetworksExecution_setReusable(execution, true));
  if (Once(5)) Code(ANeuralNetworksExecution_enableInputAndOutputPadding(execution, true));
  if (Once(5)) Code(ANeuralNetworksExecution_setMeasureTiming(execution, true));
  // A WHILE may well have no end.
  Code(ANeuralNetworksExecution_setLoopTimeout(execution, Below(1000000)));
  SetArguments(execution, sketches_[sketch_of_execution_.back()]);
}

void Client::SetArguments(ANeuralNetworksExecution* execution, const Sketch& sketch) {
  for (bool output : {false, true}) {
    const std::vector<uint32_t>& indices = output ? sketch.outputs : sketch.inputs;
    for (size_t i = 0; i < indices.size(); ++i) {
      const int32_t code = sketch.codes[indices[i]];
      std::vector<uint32_t> dims = sketch.dims[indices[i]];
      size_t size = FindOperandCode(code)->size;
      for (uint32_t& extent : dims) {
        if (extent == 0) extent = static_cast<uint32_t>(1 + Below(4));
        size *= extent;
      }
      if (output && dims.empty()) size = Below(400);
      const ANeuralNetworksOperandType type{code, static_cast<uint32_t>(dims.size()), dims.data(),
                                            0, 0};
      const auto* given = output || Once(8) ? nullptr : &type;
      const auto at = static_cast<int32_t>(Once(60) ? Below(9) : i);
      const size_t length = Once(40) ? Below(64) : size;
      uint8_t* buffer = Bytes(std::max(length, size) + 8) + (Once(3) ? 1 : 0);
      if (Once(10)) {
        ANeuralNetworksMemory* memory = Any(memories_);
        const size_t offset = Once(3) ? 0 : Below(40), part = Once(3) ? 0 : length;
        Code(output ? ANeuralNetworksExecution_setOutputFromMemory(execution, at, given, memory,
                                                                   offset, part)
                    : ANeuralNetworksExecution_setInputFromMemory(execution, at, given, memory,
                                                                  offset, part));
      } else {
        Code(output ? ANeuralNetworksExecution_setOutput(execution, at, given, buffer, length)
                    : ANeuralNetworksExecution_setInput(execution, at, given, buffer, length));
      }
    }
  }
}

void Client::UseExecution() {
  if (executions_.empty()) return MakeExecution();
  ANeuralNetworksExecution* execution = Any(executions_);
  ANeuralNetworksEvent* event = nullptr;
  uint32_t numbers[64] = {};
  uint64_t duration = 0;
  switch (Below(6)) {
    case 0:
    case 1:
      computed += Code(ANeuralNetworksExecution_compute(execution));
      break;
    case 2:
      Code(ANeuralNetworksExecution_startCompute(execution, &event));
      break;
    case 3: {
      const ANeuralNetworksEvent* before[] = {Any(events_), Any(events_)};
      Code(ANeuralNetworksExecution_startComputeWithDependencies(
          execution, before, static_cast<uint32_t>(Below(3)), Once(3) ? 1000000 : 0, &event));
      break;
    }
    case 4:
      Code(ANeuralNetworksExecution_burstCompute(execution, Any(bursts_)));
      break;
    default:
      Code(ANeuralNetworksExecution_getDuration(execution, static_cast<int32_t>(Below(5)),
                                                &duration));
      Code(ANeuralNetworksExecution_getOutputOperandRank(execution, 0, numbers));
      if (numbers[0] < 60)
        Code(ANeuralNetworksExecution_getOutputOperandDimensions(execution, 0, numbers));
  }
  Keep(&events_, event);
}

void Client::MakeMemory() {
  static int made = 0;
  const int fd = memfd_create(("fuzz" + std::to_string(made++)).c_str(), MFD_CLOEXEC);
  if (ftruncate(fd, static_cast<off_t>(64 + Below(4096))) != 0) std::abort();
  ANeuralNetworksMemory* memory = nullptr;
  const int protect = Once(4) ? PROT_READ : PROT_READ | PROT_WRITE;
  Code(ANeuralNetworksMemory_createFromFd(Below(3000), protect, Once(20) ? -1 : fd, Below(50),
                                          &memory));
  Keep(&memories_, memory);
  files_.push_back(fd);
  // Some shrink while they are used.
  if (Once(3) && ftruncate(files_[Below(files_.size())], static_cast<off_t>(Below(64))) != 0)
    std::abort();
}

void Client::MakeDesc() {
  ANeuralNetworksMemoryDesc* desc = nullptr;
  ANeuralNetworksMemory* memory = nullptr;
  ANeuralNetworksBurst* burst = nullptr;
  Code(ANeuralNetworksMemoryDesc_create(&desc));
  for (uint64_t n = Below(4); n > 0; --n) {
    const auto index = static_cast<uint32_t>(Below(3));
    if (Once(2))
      Code(ANeuralNetworksMemoryDesc_addInputRole(desc, Any(compilations_), index, 1));
    else
      Code(ANeuralNetworksMemoryDesc_addOutputRole(desc, Any(compilations_), index, 0.5f));
  }
  const uint32_t dims[] = {2, 0, 3, 4};
  if (Once(4))
    Code(ANeuralNetworksMemoryDesc_setDimensions(desc, static_cast<uint32_t>(Below(5)), dims));
  Code(ANeuralNetworksMemoryDesc_finish(desc));
  Code(ANeuralNetworksMemory_createFromDesc(desc, &memory));
  Keep(&memories_, memory);
  descs_.push_back(desc);
  Code(ANeuralNetworksMemory_copy(Any(memories_), Any(memories_)));
  Code(ANeuralNetworksBurst_create(Any(compilations_), &burst));
  Keep(&bursts_, burst);
}

void Client::UseEvents() {
  int fd = -1;
  ANeuralNetworksEvent* event = Any(events_);
  Code(ANeuralNetworksEvent_getSyncFenceFd(event, &fd));
  if (fd >= 0) close(fd);
  Code(ANeuralNetworksEvent_wait(event));
  if (!Once(5)) return;
  int ends[2];
  if (pipe(ends) != 0 || write(ends[1], "x", 1) != 1) std::abort();
  Code(ANeuralNetworksEvent_createFromSyncFenceFd(Once(4) ? -1 : ends[0], &event));
  Keep(&events_, event);
  close(ends[0]);
  close(ends[1]);
}

// Their handles stay in the lists: freed ones are used again.
void Client::FreeSomething() {
  switch (Below(7)) {
    case 0:
      return ANeuralNetworksModel_free(Any(models_));
    case 1:
      return ANeuralNetworksCompilation_free(Any(compilations_));
    case 2:
      return ANeuralNetworksExecution_free(Any(executions_));
    case 3:
      return ANeuralNetworksMemory_free(Any(memories_));
    case 4:
      return ANeuralNetworksMemoryDesc_free(Any(descs_));
    case 5:
      return ANeuralNetworksBurst_free(Any(bursts_));
    default:
      return ANeuralNetworksEvent_free(Any(events_));
  }
}

void Client::Play() {
  for (uint64_t n = 3 + Below(30); n > 0; --n) {
    switch (Below(12)) {
      case 0:
      case 1:
      case 2:
        BuildModel();
        break;
      case 3:
      case 4:
        Compile();
        break;
      case 5:
        MakeExecution();
        break;
      case 6:
      case 7:
        UseExecution();
        break;
      case 8:
        Once(2) ? MakeMemory() : MakeDesc();
        break;
      case 9:
        UseEvents();
        break;
      case 10:
        DisturbModel();
        break;
      default:
        FreeSomething();
    }
  }
}

int Main(int argc, char** argv) {
  uint64_t seed = std::random_device{}(), count = 10000;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const uint64_t number = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--seed") seed = number;
    if (name == "--count") count = number;
    if (name == "--only") {
      seed += number;
      count = 1;
    }
  }
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  WatchProcess();
  uint64_t accepted = 0, refused = 0, computed = 0;
  for (uint64_t number = 0; number < count; ++number) {
    BeginInput(seed, number, "nnapi");
    Client client(seed + number);
    client.Play();
    EndInput();
    accepted += client.accepted;
    refused += client.refused;
    computed += client.computed;
  }
  std::printf("%llu calls accepted, %llu refused, %llu computations\n",
              static_cast<unsigned long long>(accepted), static_cast<unsigned long long>(refused),
              static_cast<unsigned long long>(computed));
  return count == 1 || computed > count / 20 ? 0 : 1;
}

}  // namespace
}  // namespace paddle::lite::testing

int main(int argc, char** argv) { return paddle::lite::testing::Main(argc, argv); }
