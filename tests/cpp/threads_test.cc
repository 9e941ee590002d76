// Predictors and clones side by side from many threads; meant for ThreadSanitizer.
#include <cmath>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "lite/api/light_predictor.h"
#include "tests/cpp/check.h"

namespace paddle::lite {
namespace {

constexpr int kThreads = 4, kRuns = 20;

std::vector<float> RunOnce(LightPredictor* predictor, int64_t batch) {
  TensorMeta meta;
  meta.dims = {batch, 3, 8, 8};
  std::vector<float> x(static_cast<size_t>(meta.dims.production()));
  for (size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<float>(i));
  predictor->SetInput(0, {meta, x.data(), x.size() * sizeof(float)});
  predictor->Run();
  const Tensor y = predictor->CopyOutput(0);
  return {y.data<float>(), y.data<float>() + y.numel()};
}

void InThreads(const std::function<void(int)>& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}

// Each thread has a clone: they share weights, packed ones too, and must agree.
void TestClones(const std::string& path) {
  const auto first = LightPredictor::FromFile(path);
  const std::vector<float> expected = RunOnce(first.get(), 2);
  const auto fresh = LightPredictor::FromFile(path);
  InThreads([&](int i) {
    const auto clone = (i % 2 ? first : fresh)->Clone();
    clone->set_threads(1 + i % 3);
    for (int run = 0; run < kRuns; ++run) {
      RunOnce(clone.get(), 1 + run % 3);
      CHECK(RunOnce(clone.get(), 2) == expected);
    }
  });
}

// One predictor for all threads: runs take turns, and what is read is some run's result.
void TestOnePredictor(const std::string& path) {
  const auto predictor = LightPredictor::FromFile(path);
  predictor->set_threads(2);
  const std::vector<float> expected = RunOnce(predictor.get(), 1);
  InThreads([&](int) {
    for (int run = 0; run < kRuns; ++run) CHECK(RunOnce(predictor.get(), 1) == expected);
  });
}

void TestLoadingSideBySide(const std::string& path) {
  InThreads([&](int) {
    for (int run = 0; run < 3; ++run) RunOnce(LightPredictor::FromFile(path).get(), 1);
  });
}

}  // namespace
}  // namespace paddle::lite

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : LITE_TEST_DATA "/conv.x86.214.nb";
  paddle::lite::TestClones(path);
  paddle::lite::TestOnePredictor(path);
  paddle::lite::TestLoadingSideBySide(path);
  return paddle::lite::testing::g_failures ? 1 : 0;
}
