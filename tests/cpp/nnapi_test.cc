// What the NNAPI layer does itself: IF and WHILE, memories, events, bursts, shapes that come when a
// model runs, caches, and what a client may free when.
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "tests/cpp/nnapi_models.h"

namespace paddle::lite::testing {
namespace {

#define OK(call) CHECK((call) == ANEURALNETWORKS_NO_ERROR)
#define GIVES(code, call) CHECK((call) == ANEURALNETWORKS_##code)

// One input and one output.
int Run(ANeuralNetworksCompilation* compilation, const ANeuralNetworksOperandType* type,
        const std::vector<float>& input, std::vector<float>* output) {
  ANeuralNetworksExecution* execution = nullptr;
  OK(ANeuralNetworksExecution_create(compilation, &execution));
  OK(ANeuralNetworksExecution_setInput(execution, 0, type, input.data(),
                                       input.size() * sizeof(float)));
  OK(ANeuralNetworksExecution_setOutput(execution, 0, nullptr, output->data(),
                                        output->size() * sizeof(float)));
  const int code = ANeuralNetworksExecution_compute(execution);
  ANeuralNetworksExecution_free(execution);
  return code;
}

void TestIf() {
  NnapiModel plus, minus, model;
  MakeAdder(&plus, 2, 1);
  MakeAdder(&minus, 2, -1);
  const uint32_t truth = model.Operand(ANEURALNETWORKS_TENSOR_BOOL8, {1});
  const uint32_t input = model.Floats({2}), doubled = model.Floats({2});
  const uint32_t inner = model.Floats({2}), output = model.Floats({2});
  const uint32_t none = model.Scalar(0);
  // In no order: the IF stands between two ordinary operations.
  model.Operation(ANEURALNETWORKS_ADD, {inner, inner, none}, {output});
  model.Operation(ANEURALNETWORKS_IF, {truth, model.Model(plus), model.Model(minus), doubled},
                  {inner});
  model.Operation(ANEURALNETWORKS_ADD, {input, input, none}, {doubled});
  model.Finish({truth, input}, {output});
  ANeuralNetworksCompilation* compilation = Compiled(model);
  for (uint8_t condition : {0, 1}) {
    const float data[] = {3, 5};
    float result[2] = {};
    ANeuralNetworksExecution* execution = nullptr;
    OK(ANeuralNetworksExecution_create(compilation, &execution));
    OK(ANeuralNetworksExecution_setInput(execution, 0, nullptr, &condition, 1));
    OK(ANeuralNetworksExecution_setInput(execution, 1, nullptr, data, sizeof(data)));
    OK(ANeuralNetworksExecution_setOutput(execution, 0, nullptr, result, sizeof(result)));
    OK(ANeuralNetworksExecution_compute(execution));
    CHECK(result[0] == 2 * (6 + (condition ? 1 : -1)) &&
          result[1] == 2 * (10 + (condition ? 1 : -1)));
    ANeuralNetworksExecution_free(execution);
  }
  ANeuralNetworksCompilation_free(compilation);
}

// while (x < most) x = x + 1
void MakeCounter(NnapiModel* condition, NnapiModel* body, NnapiModel* model, float most) {
  const uint32_t x = condition->Floats({1});
  const uint32_t limit = condition->Constant<float>(ANEURALNETWORKS_TENSOR_FLOAT32, {1}, {most});
  const uint32_t less = condition->Operand(ANEURALNETWORKS_TENSOR_BOOL8, {1});
  condition->Operation(ANEURALNETWORKS_LESS, {x, limit}, {less});
  condition->Finish({x}, {less});
  MakeAdder(body, 1, 1);
  const uint32_t begin = model->Floats({1}), end = model->Floats({1});
  model->Operation(ANEURALNETWORKS_WHILE, {model->Model(*condition), model->Model(*body), begin},
                   {end});
  model->Finish({begin}, {end});
}

void TestWhile() {
  ANeuralNetworksCompilation* compilation = nullptr;
  {
    NnapiModel condition, body, model;
    MakeCounter(&condition, &body, &model, 10);
    compilation = Compiled(model);
  }  // a compilation keeps its models
  std::vector<float> output(1);
  OK(Run(compilation, nullptr, {2.5f}, &output));
  CHECK(output[0] == 10.5f);
  OK(Run(compilation, nullptr, {11}, &output));  // no turn
  CHECK(output[0] == 11);
  ANeuralNetworksCompilation_free(compilation);
}

void TestLoopTimeout() {
  NnapiModel condition, body, model;
  MakeCounter(&condition, &body, &model, 1e30f);  // 1 is nothing beside 2^24
  ANeuralNetworksCompilation* compilation = Compiled(model);
  ANeuralNetworksExecution* execution = nullptr;
  const float begin = 0;
  float end = 0;
  OK(ANeuralNetworksExecution_create(compilation, &execution));
  OK(ANeuralNetworksExecution_setLoopTimeout(execution, 20 * 1000 * 1000));
  OK(ANeuralNetworksExecution_setInput(execution, 0, nullptr, &begin, sizeof(begin)));
  OK(ANeuralNetworksExecution_setOutput(execution, 0, nullptr, &end, sizeof(end)));
  ANeuralNetworksEvent* event = nullptr;
  OK(ANeuralNetworksExecution_startCompute(execution, &event));
  GIVES(MISSED_DEADLINE_TRANSIENT, ANeuralNetworksEvent_wait(event));
  ANeuralNetworksEvent_free(event);
  ANeuralNetworksExecution_free(execution);
  ANeuralNetworksCompilation_free(compilation);
}

void TestUnknownShapes() {
  NnapiModel model;
  MakeAdder(&model, 0, 1);
  ANeuralNetworksCompilation* compilation = Compiled(model);
  for (uint32_t n : {3u, 1u, 3u, 7u}) {
    const Dims dims{n};
    const ANeuralNetworksOperandType type = NnapiType(ANEURALNETWORKS_TENSOR_FLOAT32, dims);
    std::vector<float> input(n, 2), output(n);
    OK(Run(compilation, &type, input, &output));
    CHECK(output == std::vector<float>(n, 3));
  }
  ANeuralNetworksExecution* execution = nullptr;
  OK(ANeuralNetworksExecution_create(compilation, &execution));
  const Dims dims{4};
  const ANeuralNetworksOperandType type = NnapiType(ANEURALNETWORKS_TENSOR_FLOAT32, dims);
  const std::vector<float> input(4, 2);
  float short_output[2];
  GIVES(BAD_DATA, ANeuralNetworksExecution_setInput(execution, 0, nullptr, input.data(), 16));
  OK(ANeuralNetworksExecution_setInput(execution, 0, &type, input.data(), 16));
  OK(ANeuralNetworksExecution_setOutput(execution, 0, nullptr, short_output, 8));
  GIVES(OUTPUT_INSUFFICIENT_SIZE, ANeuralNetworksExecution_compute(execution));
  uint32_t rank = 0, extent = 0;
  GIVES(OUTPUT_INSUFFICIENT_SIZE,
        ANeuralNetworksExecution_getOutputOperandRank(execution, 0, &rank));
  GIVES(OUTPUT_INSUFFICIENT_SIZE,
        ANeuralNetworksExecution_getOutputOperandDimensions(execution, 0, &extent));
  CHECK(rank == 1 && extent == 4);
  ANeuralNetworksExecution_free(execution);
  ANeuralNetworksCompilation_free(compilation);
}

int TemporaryFile(const std::vector<float>& contents) {
  char name[] = "/tmp/nnapi_test_XXXXXX";
  const int fd = mkstemp(name);
  unlink(name);
  const size_t bytes = contents.size() * sizeof(float);
  // At an odd offset.
  CHECK(pwrite(fd, contents.data(), bytes, 3) == static_cast<ssize_t>(bytes));
  return fd;
}

void TestFileMemory() {
  const int fd = TemporaryFile({1, 2, 0, 0});
  ANeuralNetworksMemory *memory = nullptr, *read_only = nullptr, *none = nullptr;
  OK(ANeuralNetworksMemory_createFromFd(16, PROT_READ | PROT_WRITE, fd, 3, &memory));
  OK(ANeuralNetworksMemory_createFromFd(16, PROT_READ, fd, 3, &read_only));
  GIVES(BAD_DATA, ANeuralNetworksMemory_createFromFd(17, PROT_READ, fd, 3, &none));
  GIVES(BAD_DATA, ANeuralNetworksMemory_createFromFd(0, PROT_READ, fd, 0, &none));
  GIVES(BAD_DATA, ANeuralNetworksMemory_createFromFd(4, PROT_READ, -1, 0, &none));
  CHECK(none == nullptr);
  NnapiModel model;
  MakeAdder(&model, 2, 10);
  ANeuralNetworksCompilation* compilation = Compiled(model);
  ANeuralNetworksExecution* execution = nullptr;
  OK(ANeuralNetworksExecution_create(compilation, &execution));
  GIVES(BAD_DATA,
        ANeuralNetworksExecution_setInputFromMemory(execution, 0, nullptr, memory, 12, 8));
  GIVES(BAD_DATA, ANeuralNetworksExecution_setInputFromMemory(execution, 0, nullptr, memory, 0, 4));
  OK(ANeuralNetworksExecution_setInputFromMemory(execution, 0, nullptr, memory, 0, 8));
  GIVES(BAD_DATA,
        ANeuralNetworksExecution_setOutputFromMemory(execution, 0, nullptr, read_only, 8, 8));
  OK(ANeuralNetworksExecution_setOutputFromMemory(execution, 0, nullptr, memory, 8, 8));
  OK(ANeuralNetworksExecution_setReusable(execution, true));
  ANeuralNetworksMemory_free(memory);  // the execution keeps it
  OK(ANeuralNetworksExecution_compute(execution));
  float result[2] = {};
  CHECK(pread(fd, result, sizeof(result), 11) == sizeof(result));
  CHECK(result[0] == 11 && result[1] == 12);
  CHECK(ftruncate(fd, 5) == 0);  // the file shrinks under the memory
  GIVES(OP_FAILED, ANeuralNetworksExecution_compute(execution));
  ANeuralNetworksExecution_free(execution);
  ANeuralNetworksCompilation_free(compilation);
  ANeuralNetworksMemory_free(read_only);
  close(fd);
}

// `roles`: as output of `first`, as input of `second`.
ANeuralNetworksMemory* MakeShared(ANeuralNetworksCompilation* first,
                                  ANeuralNetworksCompilation* second) {
  ANeuralNetworksMemoryDesc* desc = nullptr;
  ANeuralNetworksMemory* memory = nullptr;
  OK(ANeuralNetworksMemoryDesc_create(&desc));
  GIVES(BAD_DATA, ANeuralNetworksMemoryDesc_finish(desc));
  GIVES(BAD_DATA, ANeuralNetworksMemoryDesc_addOutputRole(desc, first, 0, 0));
  GIVES(BAD_DATA, ANeuralNetworksMemoryDesc_addOutputRole(desc, first, 1, 1));
  OK(ANeuralNetworksMemoryDesc_addOutputRole(desc, first, 0, 1));
  GIVES(BAD_DATA, ANeuralNetworksMemoryDesc_addOutputRole(desc, first, 0, 1));
  OK(ANeuralNetworksMemoryDesc_addInputRole(desc, second, 0, 0.5f));
  GIVES(BAD_STATE, ANeuralNetworksMemory_createFromDesc(desc, &memory));
  OK(ANeuralNetworksMemoryDesc_finish(desc));
  OK(ANeuralNetworksMemory_createFromDesc(desc, &memory));
  ANeuralNetworksMemoryDesc_free(desc);
  return memory;
}

void TestDeviceMemory() {
  NnapiModel model;
  MakeAdder(&model, 2, 1);
  ANeuralNetworksCompilation *first = Compiled(model), *second = Compiled(model);
  ANeuralNetworksMemory* memory = MakeShared(first, second);
  const std::vector<float> data{1, 2};
  float result[2] = {};
  ANeuralNetworksExecution *writes = nullptr, *reads = nullptr;
  OK(ANeuralNetworksExecution_create(second, &reads));
  GIVES(BAD_DATA, ANeuralNetworksExecution_setInputFromMemory(reads, 0, nullptr, memory, 0, 8));
  GIVES(BAD_DATA, ANeuralNetworksExecution_setOutputFromMemory(reads, 0, nullptr, memory, 0, 0));
  OK(ANeuralNetworksExecution_setInputFromMemory(reads, 0, nullptr, memory, 0, 0));
  OK(ANeuralNetworksExecution_setOutput(reads, 0, nullptr, result, sizeof(result)));
  OK(ANeuralNetworksExecution_setReusable(reads, true));
  GIVES(OP_FAILED, ANeuralNetworksExecution_compute(reads));  // nothing was written
  OK(ANeuralNetworksExecution_create(first, &writes));
  OK(ANeuralNetworksExecution_setInput(writes, 0, nullptr, data.data(), 8));
  OK(ANeuralNetworksExecution_setOutputFromMemory(writes, 0, nullptr, memory, 0, 0));
  OK(ANeuralNetworksExecution_compute(writes));
  OK(ANeuralNetworksExecution_compute(reads));
  CHECK(result[0] == 3 && result[1] == 4);
  const int fd = TemporaryFile({0, 0});
  ANeuralNetworksMemory *file = nullptr, *other = nullptr;
  OK(ANeuralNetworksMemory_createFromFd(8, PROT_READ | PROT_WRITE, fd, 3, &file));
  OK(ANeuralNetworksMemory_createFromFd(4, PROT_READ | PROT_WRITE, fd, 3, &other));
  OK(ANeuralNetworksMemory_copy(memory, file));
  GIVES(BAD_DATA, ANeuralNetworksMemory_copy(memory, other));
  CHECK(pread(fd, result, sizeof(result), 3) == sizeof(result));
  CHECK(result[0] == 2 && result[1] == 3);
  ANeuralNetworksMemory_free(file);
  ANeuralNetworksMemory_free(other);
  close(fd);
  ANeuralNetworksExecution_free(reads);
  ANeuralNetworksExecution_free(writes);
  ANeuralNetworksCompilation_free(first);
  ANeuralNetworksCompilation_free(second);
  ANeuralNetworksMemory_free(memory);
}

void TestEvents() {
  NnapiModel model;
  MakeAdder(&model, 1, 1);
  ANeuralNetworksCompilation* compilation = Compiled(model);
  int ends[2];
  CHECK(pipe(ends) == 0);
  ANeuralNetworksEvent *fence = nullptr, *done[2] = {}, *none = nullptr;
  GIVES(BAD_DATA, ANeuralNetworksEvent_createFromSyncFenceFd(-1, &none));
  OK(ANeuralNetworksEvent_createFromSyncFenceFd(ends[0], &fence));
  int copy = -1;
  OK(ANeuralNetworksEvent_getSyncFenceFd(fence, &copy));
  CHECK(copy >= 0 && copy != ends[0]);
  close(copy);
  float values[3] = {5, 0, 0};
  ANeuralNetworksExecution* executions[2] = {};
  for (int i = 0; i < 2; ++i) {
    OK(ANeuralNetworksExecution_create(compilation, &executions[i]));
    OK(ANeuralNetworksExecution_setInput(executions[i], 0, nullptr, &values[i], 4));
    OK(ANeuralNetworksExecution_setOutput(executions[i], 0, nullptr, &values[i + 1], 4));
    const ANeuralNetworksEvent* before = i == 0 ? fence : done[0];
    OK(ANeuralNetworksExecution_startComputeWithDependencies(executions[i], &before, 1, 0,
                                                             &done[i]));
  }
  GIVES(BAD_STATE, ANeuralNetworksExecution_compute(executions[0]));  // it waits for the fence
  CHECK(write(ends[1], "x", 1) == 1);
  OK(ANeuralNetworksEvent_wait(done[1]));
  CHECK(values[1] == 6 && values[2] == 7);
  ANeuralNetworksExecution_free(executions[0]);
  ANeuralNetworksExecution_free(executions[1]);
  ANeuralNetworksEvent_free(done[0]);
  ANeuralNetworksEvent_free(done[1]);
  ANeuralNetworksEvent_free(fence);
  ANeuralNetworksCompilation_free(compilation);
  close(ends[0]);
  close(ends[1]);
}

// What runs keeps what it needs.
void TestFreedWhileRunning() {
  std::vector<float> input(1 << 16, 1), output(1 << 16);
  ANeuralNetworksEvent* event = nullptr;
  {
    NnapiModel model;
    MakeAdder(&model, 1 << 16, 1);
    ANeuralNetworksCompilation* compilation = Compiled(model);
    ANeuralNetworksExecution* execution = nullptr;
    OK(ANeuralNetworksExecution_create(compilation, &execution));
    ANeuralNetworksCompilation_free(compilation);
    GIVES(BAD_DATA, ANeuralNetworksCompilation_finish(compilation));
    OK(ANeuralNetworksExecution_setInput(execution, 0, nullptr, input.data(), 4 << 16));
    OK(ANeuralNetworksExecution_setOutput(execution, 0, nullptr, output.data(), 4 << 16));
    OK(ANeuralNetworksExecution_startCompute(execution, &event));
    ANeuralNetworksExecution_free(execution);
  }
  OK(ANeuralNetworksEvent_wait(event));
  CHECK(output[0] == 2 && output.back() == 2);
  ANeuralNetworksEvent_free(event);
}

void TestBurstsAndPadding() {
  NnapiModel model;
  MakeAdder(&model, 1, 1);
  ANeuralNetworksCompilation *compilation = Compiled(model), *other = Compiled(model);
  ANeuralNetworksBurst *burst = nullptr, *others = nullptr;
  OK(ANeuralNetworksBurst_create(compilation, &burst));
  OK(ANeuralNetworksBurst_create(other, &others));
  ANeuralNetworksExecution* execution = nullptr;
  OK(ANeuralNetworksExecution_create(compilation, &execution));
  OK(ANeuralNetworksExecution_enableInputAndOutputPadding(execution, true));
  const float input[4] = {1, 9, 9, 9};
  float output[4] = {7, 7, 7, 7};
  OK(ANeuralNetworksExecution_setInput(execution, 0, nullptr, input, sizeof(input)));
  GIVES(BAD_STATE, ANeuralNetworksExecution_enableInputAndOutputPadding(execution, false));
  OK(ANeuralNetworksExecution_setOutput(execution, 0, nullptr, output, sizeof(output)));
  OK(ANeuralNetworksExecution_setReusable(execution, true));
  GIVES(BAD_DATA, ANeuralNetworksExecution_burstCompute(execution, others));
  for (int i = 0; i < 3; ++i) OK(ANeuralNetworksExecution_burstCompute(execution, burst));
  CHECK(output[0] == 2 && output[1] == 7);
  ANeuralNetworksExecution_free(execution);
  ANeuralNetworksBurst_free(burst);
  ANeuralNetworksBurst_free(others);
  ANeuralNetworksCompilation_free(compilation);
  ANeuralNetworksCompilation_free(other);
}

std::vector<std::string> FilesIn(const std::string& folder) {
  std::vector<std::string> names;
  DIR* dir = opendir(folder.c_str());
  while (const dirent* entry = readdir(dir))
    if (entry->d_name[0] != '.') names.push_back(folder + "/" + entry->d_name);
  closedir(dir);
  return names;
}

// One token, two models: each keeps its own program.
void TestCache() {
  char folder[] = "/tmp/nnapi_test_XXXXXX";
  CHECK(mkdtemp(folder) != nullptr);
  const uint8_t token[ANEURALNETWORKS_BYTE_SIZE_OF_CACHE_TOKEN] = {1, 2, 3};
  for (float number : {1.0f, 2.0f, 1.0f}) {
    NnapiModel model;
    MakeAdder(&model, 1, number);
    ANeuralNetworksCompilation* compilation = nullptr;
    OK(ANeuralNetworksCompilation_create(model.get(), &compilation));
    OK(ANeuralNetworksCompilation_setCaching(compilation, folder, token));
    OK(ANeuralNetworksCompilation_finish(compilation));
    std::vector<float> output(1);
    OK(Run(compilation, nullptr, {5}, &output));
    CHECK(output[0] == 5 + number);
    ANeuralNetworksCompilation_free(compilation);
  }
  for (const std::string& file : FilesIn(folder)) unlink(file.c_str());
  rmdir(folder);
}

void TestChosenDevice() {
  NnapiModel model;
  MakeAdder(&model, 1, 1);
  ANeuralNetworksDevice* device = nullptr;
  int32_t type = 0;
  const char* name = nullptr;
  OK(ANeuralNetworks_getDevice(0, &device));
  OK(ANeuralNetworksDevice_getType(device, &type));
  OK(ANeuralNetworksDevice_getName(device, &name));
  CHECK(type == ANEURALNETWORKS_DEVICE_CPU && std::string(name) == "builtin_device");
  bool supported = false;
  OK(ANeuralNetworksModel_getSupportedOperationsForDevices(model.get(), &device, 1, &supported));
  CHECK(supported);
  ANeuralNetworksCompilation* compilation = nullptr;
  OK(ANeuralNetworksCompilation_createForDevices(model.get(), &device, 1, &compilation));
  OK(ANeuralNetworksCompilation_setTimeout(compilation, uint64_t{60} * 1000 * 1000 * 1000));
  OK(ANeuralNetworksCompilation_finish(compilation));
  ANeuralNetworksExecution* execution = nullptr;
  const float input = 1;
  float output = 0;
  uint64_t duration = 0;
  OK(ANeuralNetworksExecution_create(compilation, &execution));
  OK(ANeuralNetworksExecution_setMeasureTiming(execution, true));
  OK(ANeuralNetworksExecution_setInput(execution, 0, nullptr, &input, 4));
  OK(ANeuralNetworksExecution_setOutput(execution, 0, nullptr, &output, 4));
  OK(ANeuralNetworksExecution_compute(execution));
  OK(ANeuralNetworksExecution_getDuration(execution, ANEURALNETWORKS_DURATION_IN_DRIVER,
                                          &duration));
  CHECK(output == 2 && duration > 0 && duration < UINT64_MAX);
  ANeuralNetworksExecution_free(execution);
  ANeuralNetworksCompilation_free(compilation);
}

// An operation without a counterpart is known to be one before anything runs.
void TestUnsupported() {
  NnapiModel model;
  const uint32_t probabilities = model.Floats({1, 4});
  const uint32_t seeds = model.Operand(ANEURALNETWORKS_TENSOR_INT32, {2});
  const uint32_t drawn = model.Operand(ANEURALNETWORKS_TENSOR_INT32, {1, 3});
  model.Operation(ANEURALNETWORKS_RANDOM_MULTINOMIAL, {probabilities, model.Scalar(3), seeds},
                  {drawn});
  model.Finish({probabilities, seeds}, {drawn});
  ANeuralNetworksDevice* device = nullptr;
  bool supported = true;
  OK(ANeuralNetworks_getDevice(0, &device));
  OK(ANeuralNetworksModel_getSupportedOperationsForDevices(model.get(), &device, 1, &supported));
  CHECK(!supported);
  ANeuralNetworksCompilation* compilation = nullptr;
  OK(ANeuralNetworksCompilation_create(model.get(), &compilation));
  GIVES(BAD_DATA, ANeuralNetworksCompilation_finish(compilation));
  GIVES(BAD_STATE, ANeuralNetworksCompilation_finish(compilation));
  ANeuralNetworksCompilation_free(compilation);
}

}  // namespace
}  // namespace paddle::lite::testing

int main() {
  using namespace paddle::lite::testing;  // NOLINT: the tests above
  TestIf();
  TestWhile();
  TestLoopTimeout();
  TestUnknownShapes();
  TestFileMemory();
  TestDeviceMemory();
  TestEvents();
  TestFreedWhileRunning();
  TestBurstsAndPadding();
  TestCache();
  TestChosenDevice();
  TestUnsupported();
  return TEST_EXIT_CODE();
}
