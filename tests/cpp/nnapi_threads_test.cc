// Four threads use NNAPI at once: models of their own, one compilation for all, and events that
// wait for those of other threads.
#include <atomic>
#include <mutex>
#include <thread>

#include "tests/cpp/nnapi_models.h"

namespace paddle::lite::testing {
namespace {

constexpr int kThreads = 4, kRounds = 25;

template <typename Body>
void InThreads(const Body& body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

ANeuralNetworksExecution* Prepared(ANeuralNetworksCompilation* compilation, uint32_t n,
                                   const std::vector<float>& input, std::vector<float>* output) {
  ANeuralNetworksExecution* execution = nullptr;
  const Dims dims{n};
  const ANeuralNetworksOperandType type = NnapiType(ANEURALNETWORKS_TENSOR_FLOAT32, dims);
  output->assign(n, 0);
  if (ANeuralNetworksExecution_create(compilation, &execution) ||
      ANeuralNetworksExecution_setInput(execution, 0, &type, input.data(), n * sizeof(float)) ||
      ANeuralNetworksExecution_setOutput(execution, 0, nullptr, output->data(), n * sizeof(float)))
    return nullptr;
  return execution;
}

void TestModelsOfTheirOwn() {
  std::mutex building;  // CHECK counts without one
  std::atomic<int> right{0};
  InThreads([&](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      std::unique_lock<std::mutex> lock(building);
      NnapiModel model;
      MakeAdder(&model, 4, static_cast<float>(thread));
      lock.unlock();
      ANeuralNetworksCompilation* compilation = nullptr;
      std::vector<float> output;
      ANeuralNetworksCompilation_create(model.get(), &compilation);
      ANeuralNetworksCompilation_finish(compilation);
      const std::vector<float> input(4, 1);
      auto* execution = Prepared(compilation, 4, input, &output);
      ANeuralNetworksCompilation_free(compilation);
      right += ANeuralNetworksExecution_compute(execution) == ANEURALNETWORKS_NO_ERROR &&
               output == std::vector<float>(4, static_cast<float>(thread + 1));
      ANeuralNetworksExecution_free(execution);
    }
  });
  CHECK(right == kThreads * kRounds);
}

// Of shapes that come when it runs.
void TestOneCompilation() {
  NnapiModel model;
  MakeAdder(&model, 0, 1);
  ANeuralNetworksCompilation* compilation = Compiled(model);
  std::atomic<int> right{0};
  InThreads([&](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      const uint32_t n = static_cast<uint32_t>(thread + round % 3 + 1);
      const std::vector<float> input(n, static_cast<float>(round));
      std::vector<float> output;
      auto* execution = Prepared(compilation, n, input, &output);
      ANeuralNetworksEvent* event = nullptr;
      const bool ran =
          ANeuralNetworksExecution_startCompute(execution, &event) == ANEURALNETWORKS_NO_ERROR &&
          ANeuralNetworksEvent_wait(event) == ANEURALNETWORKS_NO_ERROR;
      ANeuralNetworksEvent_free(event);
      ANeuralNetworksExecution_free(execution);
      right += ran && output == std::vector<float>(n, static_cast<float>(round + 1));
    }
  });
  CHECK(right == kThreads * kRounds);
  ANeuralNetworksCompilation_free(compilation);
}

// All threads wait for one event, which is freed while they do.
void TestOneEvent() {
  NnapiModel model;
  MakeAdder(&model, 1, 1);
  ANeuralNetworksCompilation* compilation = Compiled(model);
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<float> input{1};
    std::vector<float> output;
    auto* execution = Prepared(compilation, 1, input, &output);
    ANeuralNetworksEvent* event = nullptr;
    CHECK(ANeuralNetworksExecution_startCompute(execution, &event) == ANEURALNETWORKS_NO_ERROR);
    std::atomic<int> odd{0};
    InThreads([&](int thread) {
      if (thread == 0) return ANeuralNetworksEvent_free(event);
      const int code = ANeuralNetworksEvent_wait(event);
      odd += code != ANEURALNETWORKS_NO_ERROR && code != ANEURALNETWORKS_BAD_DATA;
    });
    CHECK(odd == 0 && output[0] == 2);
    ANeuralNetworksExecution_free(execution);
  }
  ANeuralNetworksCompilation_free(compilation);
}

}  // namespace
}  // namespace paddle::lite::testing

int main() {
  using namespace paddle::lite::testing;  // NOLINT: the tests above
  TestModelsOfTheirOwn();
  TestOneCompilation();
  TestOneEvent();
  return TEST_EXIT_CODE();
}
