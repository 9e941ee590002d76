// Paddle Inference's C++ API: the calls of its programs, and their mistakes. Only the SDK's
// headers.
#include <paddle_inference_api.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <thread>

#include "tests/cpp/check.h"

namespace paddle_infer {
namespace {

const char* const kModel = LITE_TEST_DATA "/conv.x86.214.nb";
constexpr int kCount = 2 * 3 * 8 * 8;

std::vector<float> Sines(float factor = 1) {
  std::vector<float> values(kCount);
  for (int i = 0; i < kCount; ++i)
    values[static_cast<size_t>(i)] = factor * std::sin(static_cast<float>(i));
  return values;
}

std::vector<float> Output(Predictor* predictor) {
  const auto output = predictor->GetOutputHandle(predictor->GetOutputNames()[0]);
  CHECK(output->shape() == (std::vector<int>{2, 5}) && output->type() == FLOAT32);
  std::vector<float> values(10);
  output->CopyToCpu(values.data());
  return values;
}

std::vector<float> RunOnce(Predictor* predictor, float factor = 1) {
  const auto input = predictor->GetInputHandle("x");
  input->Reshape({2, 3, 8, 8});
  input->CopyFromCpu(Sines(factor).data());
  CHECK(predictor->Run());
  return Output(predictor);
}

void TestRun() {
  const auto predictor = CreatePredictor(Config(kModel));
  const std::vector<float> values = RunOnce(predictor.get());
  for (size_t row = 0; row < 2; ++row) {
    float sum = 0;  // the model ends in a softmax
    for (size_t i = 0; i < 5; ++i) sum += values[row * 5 + i];
    CHECK(std::fabs(sum - 1) < 1e-5);
  }
  CHECK(RunOnce(predictor.get(), 2) != values && RunOnce(predictor.get()) == values);
  CHECK(predictor->GetInputNames() == std::vector<std::string>{"x"});
  CHECK(predictor->GetInputTypes().at("x") == FLOAT32);
  CHECK(predictor->GetInputTensorShape().at("x") == (std::vector<int64_t>{2, 3, 8, 8}));
  predictor->ClearIntermediateTensor();
  CHECK(predictor->TryShrinkMemory() == 0 && RunOnce(predictor.get()) == values);
}

// In the caller's memory, in the predictor's, and from a model in memory.
void TestMemory() {
  std::ifstream file(kModel, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  Config config;
  config.SetModelBuffer(bytes.data(), bytes.size(), nullptr, 0);
  CHECK(config.model_from_memory() && !Config(config).model_dir().size());
  const auto predictor = CreatePredictor(config);
  const std::vector<float> expected = RunOnce(predictor.get());
  const auto input = predictor->GetInputHandle("x");
  std::vector<float> own = Sines();
  input->ShareExternalData(own.data(), {2, 3, 8, 8});
  CHECK(predictor->Run() && Output(predictor.get()) == expected);
  input->Reshape({2, 3, 8, 8});
  const std::vector<float> sines = Sines();
  std::copy(sines.begin(), sines.end(), input->mutable_data<float>(PlaceType::kGPU));
  CHECK(predictor->Run() && Output(predictor.get()) == expected);
  PlaceType place = PlaceType::kUNK;
  int size = 0;
  const auto output = predictor->GetOutputHandle(predictor->GetOutputNames()[0]);
  CHECK(output->data<float>(&place, &size)[9] == expected[9]);
  CHECK(place == PlaceType::kCPU && size == 10);
  int called = 0;
  std::vector<float> copied(10);
  output->CopyToCpuAsync(
      copied.data(), [](void* count) { ++*static_cast<int*>(count); }, &called);
  CHECK(called == 1 && copied == expected);
}

// A handle keeps its predictor alive, and a pool its predictors.
void TestLifetime() {
  auto predictor = CreatePredictor(Config(kModel));
  const std::vector<float> expected = RunOnce(predictor.get());
  auto clone = predictor->Clone();
  const auto output = predictor->GetOutputHandle(predictor->GetOutputNames()[0]);
  predictor.reset();
  CHECK(output->data<float>(nullptr, nullptr)[0] == expected[0]);
  CHECK(RunOnce(clone.get()) == expected);
}

void TestPool() {
  services::PredictorPool pool(Config(kModel), 3);
  const std::vector<float> expected = RunOnce(pool.Retrieve(0));
  std::vector<std::thread> threads;
  std::vector<int> right(3);
  for (size_t i = 0; i < 3; ++i)
    threads.emplace_back([&, i] {
      for (int turn = 0; turn < 20; ++turn) right[i] += RunOnce(pool.Retrive(i)) == expected;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(right == (std::vector<int>{20, 20, 20}));
  CHECK_THROWS(std::exception, pool.Retrieve(3), "there is none at 3");
  CHECK_THROWS(std::exception, services::PredictorPool(Config(kModel), 0), "expected 1 or more");
}

void TestHooks() {
  const auto predictor = CreatePredictor(Config(kModel));
  std::string seen;
  const auto hook = [&](const std::string& kind, const std::string& name, const Tensor& tensor) {
    seen += kind + " " + name + " " + std::to_string(tensor.shape().size()) + ";";
  };
  predictor->RegisterInputHook(hook);
  predictor->RegisterOutputHook(hook);
  predictor->RegisterOutputHook(nullptr);
  RunOnce(predictor.get());
  CHECK(seen == "feed x 4;fetch " + predictor->GetOutputNames()[0] + " 2;");
}

void TestConfig() {
  Config config("model", "params");
  CHECK(config.prog_file() == "model" && config.params_file() == "params");
  config.EnableUseGpu(100, 0);
  config.SetTensorRtOptimizationLevel(5);
  CHECK(!config.use_gpu() && config.tensorrt_optimization_level() == 5);
  CHECK_THROWS(std::exception, config.EnableTensorRtEngine(), "TensorRT is not available");
  CHECK_THROWS(std::exception, config.SetTensorRtOptimizationLevel(6), "expected 0 to 5");
  PassBuilder* const passes = config.pass_builder();
  const size_t count = passes->AllPasses().size();
  passes->DeletePass("conv_bn_fuse_pass");
  CHECK(passes->AllPasses().size() < count);
  CHECK(passes->GetPassIndex("lite_conv_bn_fuse_pass") == static_cast<size_t>(-1));
  CHECK_THROWS(std::exception, passes->InsertPass(1000, "some_pass"), "the list has");
  CHECK_THROWS(std::exception, passes->DeletePass(size_t{1000}), "the list has");
  config.EnableCustomPasses({"one", "two"}, true);
  CHECK(passes->DebugString() == "Passes to apply:\n  - one\n  - two\n");
  CHECK(Config(config).pass_builder()->AllPasses().size() == 2);
  CHECK(config.Summary().find("| params_file     | params |") != std::string::npos);
  CHECK(GetNumBytesOfDataType(INT64) == 8 && GetNumBytesOfDataType(BFLOAT16) == 2);
}

void TestMistakes() {
  CHECK_THROWS(std::exception, CreatePredictor(Config()), "names no model");
  CHECK_THROWS(std::exception, CreatePredictor(Config("/nowhere.nb")), "/nowhere");
  Config device(kModel);
  device.EnableCustomDevice("npu", 0);
  CHECK_THROWS(std::exception, CreatePredictor(device), "there is no such device");
  const auto predictor = CreatePredictor(Config(kModel));
  CHECK_THROWS(std::exception, predictor->Run(), "x");
  CHECK_THROWS(std::exception, predictor->GetInputHandle("y"), "no input 'y'");
  CHECK_THROWS(std::exception, predictor->GetOutputHandle("x"), "no output 'x'");
  const auto input = predictor->GetInputHandle("x");
  CHECK_THROWS(std::exception, input->Reshape({-1, 3, 8, 8}), "-1");
  CHECK_THROWS(std::exception, input->data<float>(nullptr, nullptr), "free dimension");
  input->Reshape({2, 3, 8, 8});
  const std::vector<int64_t> integers(kCount);
  CHECK_THROWS(std::exception, input->CopyFromCpu(integers.data()), "int64");
  CHECK_THROWS(std::exception, input->CopyFromCpu<float>(nullptr), "null");
  CHECK_THROWS(std::exception, input->ShareExternalData<float>(nullptr, {2, 3, 8, 8}), "null");
  CHECK_THROWS(std::exception, input->CopyStringsFromCpu(nullptr), "texts");
  RunOnce(predictor.get());
  const auto output = predictor->GetOutputHandle(predictor->GetOutputNames()[0]);
  CHECK_THROWS(std::exception, output->Reshape({1}), "cannot be set");
  CHECK_THROWS(std::exception, output->CopyFromCpu(Sines().data()), "cannot be set");
  int64_t wide[10];
  CHECK_THROWS(std::exception, output->CopyToCpu(wide), "is float32 and was read as int64");
  CHECK(!RunOnce(predictor.get()).empty());
}

// As programs before 2.0 have it.
void TestOldApi() {
  const auto predictor = paddle::CreatePaddlePredictor<paddle::AnalysisConfig>(Config(kModel));
  const auto input = predictor->GetInputTensor(predictor->GetInputNames()[0]);
  input->Reshape({2, 3, 8, 8});
  input->copy_from_cpu(Sines().data());
  CHECK(predictor->ZeroCopyRun());
  std::vector<float> values(10);
  predictor->GetOutputTensor(predictor->GetOutputNames()[0])->copy_to_cpu(values.data());
  CHECK(values == RunOnce(CreatePredictor(Config(kModel)).get()));

  paddle::NativeConfig native;
  native.model_dir = kModel;
  const auto second =
      paddle::CreatePaddlePredictor<paddle::NativeConfig, paddle::PaddleEngineKind::kNative>(native)
          ->Clone();
  std::vector<float> sines = Sines();
  std::vector<paddle::PaddleTensor> inputs(1), outputs;
  inputs[0].shape = {2, 3, 8, 8};
  inputs[0].data.Reset(sines.data(), sines.size() * sizeof(float));
  const auto same = [&](const paddle::PaddleTensor& output) {
    return output.shape == (std::vector<int>{2, 5}) && output.data.length() == 40 &&
           std::memcmp(output.data.data(), values.data(), 40) == 0;
  };
  CHECK(second->Run(inputs, &outputs) && outputs.size() == 1 && same(outputs[0]));
  const std::vector<paddle::PaddleTensor> copies = outputs;
  inputs[0].data = paddle::PaddleBuf(sines.size() * sizeof(float));
  std::memset(inputs[0].data.data(), 0, inputs[0].data.length());
  CHECK(second->Run(inputs, &outputs) && !same(outputs[0]) && same(copies[0]));
  std::vector<float> own(10);
  outputs[0].data.Reset(own.data(), 40);
  CHECK(second->Run(inputs, &outputs) && own[9] != 0);
  outputs[0].data.Reset(own.data(), 39);
  CHECK_THROWS(std::exception, second->Run(inputs, &outputs), "40 bytes are needed");
  inputs[0].data = paddle::PaddleBuf(9);
  CHECK_THROWS(std::exception, second->Run(inputs, &outputs), "has 9 bytes of data");
  inputs[0].shape = {1 << 30, 1 << 30, 1 << 30};
  CHECK_THROWS(std::exception, second->Run(inputs, &outputs), "");
  inputs[0].dtype = paddle::PaddleDType::FLOAT16;
  CHECK_THROWS(std::exception, second->Run(inputs, &outputs), "");
  CHECK_THROWS(std::exception, second->Run({}, &outputs), "0 inputs were given");
  CHECK_THROWS(std::exception, second->Run(inputs, nullptr), "null");
  CHECK(Config("a", "b").ToNativeConfig().param_file == "b");
}

// Calls in any order either throw or do what they say; a whole run is right after all of them.
void TestAnyOrder() {
  auto predictor = CreatePredictor(Config(kModel));
  const std::vector<float> expected = RunOnce(predictor.get());
  const std::vector<float> sines = Sines();
  std::mt19937 random(7);
  auto input = predictor->GetInputHandle("x");
  auto output = predictor->GetOutputHandle(predictor->GetOutputNames()[0]);
  std::vector<float> read(1000);
  const std::function<void()> calls[] = {
      [&] {
        input->Reshape({static_cast<int>(random() % 3), 3, 8, static_cast<int>(random() % 9)});
      },
      [&] {
        input->Reshape({2, 3, 8, 8});
      },
      [&] { input->Reshape(std::vector<int>(random() % 12, 1)); },
      [&] { input->mutable_data<float>(PlaceType::kCPU); },
      [&] { input->mutable_data<int64_t>(PlaceType::kCPU); },
      [&] {
        input->ShareExternalData(sines.data(), {1 + static_cast<int>(random() % 2), 3, 8, 8});
      },
      [&] {
        input->SetLoD({{0, random() % 4, 2}});
      },
      [&] { input->SetLoD({}); },
      [&] { input->data<float>(nullptr, nullptr); },
      [&] { predictor->Run(); },
      [&] {
        if (output->shape() == std::vector<int>{2, 5}) output->CopyToCpu(read.data());
      },
      [&] { output->lod(); },
      [&] { predictor->ClearIntermediateTensor(); },
      [&] { predictor->GetInputTensorShape(), predictor->GetOutputTypes(); },
      [&] { input = predictor->Clone()->GetInputHandle("x"); },
      [&] { input = predictor->GetInputHandle("x"); },
      [&] {
        predictor = predictor->Clone();
        output = predictor->GetOutputHandle(predictor->GetOutputNames()[0]);
      },
  };
  for (int turn = 0; turn < 300; ++turn) {
    for (int step = 0; step < 20; ++step) {
      try {
        calls[random() % std::size(calls)]();
      } catch (const std::exception& error) {
        CHECK(*error.what() != '\0');
      }
    }
    predictor->GetInputHandle("x")->SetLoD({});
    CHECK(RunOnce(predictor.get()) == expected);
  }
}

}  // namespace
}  // namespace paddle_infer

int main() {
  paddle_infer::TestRun();
  paddle_infer::TestMemory();
  paddle_infer::TestLifetime();
  paddle_infer::TestPool();
  paddle_infer::TestHooks();
  paddle_infer::TestConfig();
  paddle_infer::TestMistakes();
  paddle_infer::TestOldApi();
  paddle_infer::TestAnyOrder();
  return paddle::lite::testing::g_failures ? 1 : 0;
}
