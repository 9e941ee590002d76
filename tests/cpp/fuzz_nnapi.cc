// NNAPI under clients that call anything in any order with anything: every call must come back with
// a code; no crash, no hang, no leak. Random models of the table's operations, random arguments,
// handles that were freed, memories that shrink.
//
//   fuzz_nnapi [--seed N] [--count N] [--only N]
//
// Without --seed every run takes another one, and prints it.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "lite/nnadapter/nnapi/table.h"
#include "tests/cpp/fuzz_nnapi_client.h"
#include "tests/cpp/watch.h"

namespace paddle::lite::testing {

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
      size_t size = nnadapter::nnapi::FindOperandCode(code)->size;
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

namespace {

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
