// The public C++ API: the calls of Paddle Lite's mobile applications, and their mistakes.
#include "lite/api/paddle_api.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "lite/core/errors.h"
#include "tests/cpp/check.h"

namespace paddle::lite_api {
namespace {

const char* const kModel = LITE_TEST_DATA "/conv.x86.214.nb";

std::shared_ptr<PaddlePredictor> Load(int threads = 1) {
  MobileConfig config;
  config.set_model_from_file(kModel);
  config.set_threads(threads);
  return CreatePaddlePredictor<MobileConfig>(config);
}

std::vector<float> RunOnce(PaddlePredictor* predictor) {
  const auto input = predictor->GetInput(0);
  input->Resize({2, 3, 8, 8});
  auto* data = input->mutable_data<float>();
  for (int i = 0; i < 2 * 3 * 8 * 8; ++i) data[i] = std::sin(static_cast<float>(i));
  predictor->Run();
  const auto output = predictor->GetOutput(0);
  CHECK(output->shape() == (shape_t{2, 5}));
  CHECK(output->precision() == PrecisionType::kFloat);
  std::vector<float> values(10);
  output->CopyToCpu(values.data());
  return values;
}

void TestRun() {
  const auto predictor = Load();
  const std::vector<float> values = RunOnce(predictor.get());
  for (int row = 0; row < 2; ++row) {
    float sum = 0;  // the model ends in a softmax
    for (int i = 0; i < 5; ++i) sum += values[static_cast<size_t>(row * 5 + i)];
    CHECK(std::fabs(sum - 1) < 1e-5);
  }
  CHECK(RunOnce(predictor->Clone().get()) == values);
  CHECK(RunOnce(Load(2).get()) == values);
  CHECK(predictor->GetInputNames().size() == 1 && predictor->GetOutputNames().size() == 1);
  CHECK(predictor->GetInputByName(predictor->GetInputNames()[0])->IsInitialized());
}

// A tensor keeps its predictor alive.
void TestLifetime() {
  auto predictor = Load();
  RunOnce(predictor.get());
  const auto output = predictor->GetOutput(0);
  predictor.reset();
  CHECK(output->data<float>()[0] >= 0);
}

// The other thread cancels without end: sooner or later in the middle of a run.
void TestCancel() {
  const auto predictor = Load();
  const std::vector<float> expected = RunOnce(predictor.get());
  std::atomic<bool> done{false};
  std::thread other([&] {
    while (!done) predictor->Cancel();
  });
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  bool cancelled = false;
  while (!cancelled && std::chrono::steady_clock::now() < end) {
    try {
      predictor->Run();
    } catch (const lite::CancelledError&) {
      cancelled = true;
    }
  }
  done = true;
  other.join();
  CHECK(cancelled);
  CHECK(RunOnce(predictor.get()) == expected);
}

void TestMistakes() {
  const auto predictor = Load();
  CHECK_THROWS(lite::LiteError, predictor->GetInput(1), "no input 1");
  CHECK_THROWS(lite::LiteError, predictor->GetOutput(-1), "no output -1");
  CHECK_THROWS(lite::LiteError, predictor->GetInputByName("y"), "no input 'y'");
  CHECK_THROWS(lite::LiteError, predictor->Run(), "has not been set");
  CHECK_THROWS(lite::LiteError, predictor->GetOutput(0)->data<float>(), "no data");
  const auto input = predictor->GetInput(0);
  CHECK_THROWS(lite::LiteError, input->Resize({-1, 3}), "negative");
  CHECK_THROWS(lite::LiteError, input->mutable_data<int64_t>(), "takes float32");
  input->Resize({1, 4, 8, 8});
  input->mutable_data<float>();
  CHECK_THROWS(lite::LiteError, predictor->Run(), "conv2d");
  RunOnce(predictor.get());

  MobileConfig config;
  CHECK_THROWS(lite::LiteError, CreatePaddlePredictor<MobileConfig>(config), "names no model");
  config.set_model_from_file("/nonexistent.nb");
  CHECK_THROWS(lite::LiteError, CreatePaddlePredictor<MobileConfig>(config), "nonexistent");
  config.set_model_from_buffer("not a model", 11);
  CHECK_THROWS(lite::LiteError, CreatePaddlePredictor<MobileConfig>(config), "");
}

}  // namespace
}  // namespace paddle::lite_api

int main() {
  paddle::lite_api::TestRun();
  paddle::lite_api::TestLifetime();
  paddle::lite_api::TestCancel();
  paddle::lite_api::TestMistakes();
  return paddle::lite::testing::g_failures ? 1 : 0;
}
