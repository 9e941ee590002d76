// The public C++ API: the calls of Paddle Lite's mobile applications, and their mistakes. Only the
// SDK's headers: tests/sdk builds it as an application, too.
#include <paddle_api.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>
#include <thread>

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

void Fill(float* data, int count) {
  for (int i = 0; i < count; ++i) data[i] = std::sin(static_cast<float>(i));
}

std::vector<float> RunOnce(PaddlePredictor* predictor) {
  const auto input = predictor->GetInput(0);
  input->Resize({2, 3, 8, 8});
  Fill(input->mutable_data<float>(), 2 * 3 * 8 * 8);
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
    } catch (const std::exception& error) {
      CHECK(std::strstr(error.what(), "cancel") != nullptr);
      cancelled = true;
    }
  }
  done = true;
  other.join();
  CHECK(cancelled);
  CHECK(RunOnce(predictor.get()) == expected);
}

// Pointers outlive handles; an input keeps its data; an output can be written.
void TestHandles() {
  const auto predictor = Load();
  const std::vector<float> expected = RunOnce(predictor.get());
  const float* pointer = predictor->GetOutput(0)->data<float>();
  CHECK(std::equal(expected.begin(), expected.end(), pointer));
  predictor->Run();
  CHECK(std::equal(expected.begin(), expected.end(), predictor->GetOutput(0)->data<float>()));
  auto* written = predictor->GetOutput(0)->mutable_data<float>();
  CHECK(written[3] == expected[3]);
  written[3] = 7;
  CHECK(predictor->GetOutput(0)->data<float>()[3] == 7);
  CHECK(predictor->GetOutput(0)->data<void>() == written);
  std::unique_ptr<Tensor> input(predictor->GetInput(0));
  input->Resize({2, 3, 8, 8});  // the same: the data stays
  CHECK(input->IsInitialized() && input->data<float>()[1] == std::sin(1.f));
  predictor->Run();
  CHECK(predictor->GetOutput(0)->data<float>()[3] == expected[3]);
  const int h = 8, w = 8;
  input->Resize({1, 3, h, w});
  CHECK(!input->IsInitialized());
}

// An intermediate tensor is an output, where it was asked for.
void TestKeptTensors() {
  MobileConfig config;
  config.set_model_from_file(kModel);
  config.keep_tensors({"linear_0.tmp_1"});
  const auto predictor = CreatePaddlePredictor<MobileConfig>(config);
  const std::vector<float> values = RunOnce(predictor.get());
  CHECK(predictor->GetOutputNames().size() == 2);
  const auto logits = predictor->GetTensor("linear_0.tmp_1");
  CHECK(logits->shape() == (shape_t{2, 5}));
  const float* row = logits->data<float>();
  CHECK(std::fabs(std::exp(row[1] - row[0]) - values[1] / values[0]) < 1e-4);
  config.keep_tensors({"nothing"});
  try {
    CreatePaddlePredictor<MobileConfig>(config);
    CHECK(false);
  } catch (const std::exception& error) {
    CHECK(std::strstr(error.what(), "'nothing', is not computed") != nullptr);
  }
}

void TestNames() {
  const auto predictor = Load();
  RunOnce(predictor.get());
  const std::string output = predictor->GetOutputNames()[0], input = predictor->GetInputNames()[0];
  CHECK(predictor->GetTensor(output)->data<float>() == predictor->GetOutput(0)->data<float>());
  CHECK(predictor->GetTensor(input)->shape() == (shape_t{2, 3, 8, 8}));
  CHECK(predictor->GetTensor("nothing") == nullptr);
  CHECK(predictor->GetMutableTensor("nothing") == nullptr);
  CHECK(predictor->GetTensor("linear_0.tmp_1") == nullptr);
  predictor->GetMutableTensor(input)->Resize({1, 3, 8, 8});
  CHECK(predictor->GetInput(0)->shape()[0] == 1);
  const std::vector<std::string> params = predictor->GetParamNames();
  CHECK(!params.empty() && std::is_sorted(params.begin(), params.end()));
  const auto clone = predictor->Clone({params[0]});
  CHECK(RunOnce(clone.get()) == RunOnce(predictor.get()));
  CHECK(clone->GetParamNames() == params);
  CHECK_THROWS(std::exception, predictor->Clone({"nothing"}), "no parameter 'nothing'");
  CHECK_THROWS(std::exception, predictor->SaveOptimizedModel("x"), "CxxConfig");
  CHECK(!predictor->GetVersion().empty());
  CHECK(predictor->PlacementJson().find("\"subgraphs\": []") != std::string::npos);
}

void TestSharedMemory() {
  const auto predictor = Load();
  const std::vector<float> expected = RunOnce(predictor.get());
  std::vector<float> mine(2 * 3 * 8 * 8);
  const auto input = predictor->GetInput(0);
  const size_t bytes = mine.size() * sizeof(float);
  CHECK_THROWS(std::exception, input->ShareExternalMemory(mine.data(), bytes - 1, TARGET(kHost)),
               "needs 1536 bytes of data, but got 1535");
  CHECK_THROWS(std::exception, input->ShareExternalMemory(nullptr, bytes, TARGET(kHost)), "null");
  input->ShareExternalMemory(mine.data(), bytes, TARGET(kHost));
  CHECK(input->data<float>() == mine.data());
  predictor->Run();
  CHECK(predictor->GetOutput(0)->data<float>()[0] != expected[0]);
  Fill(mine.data(), static_cast<int>(mine.size()));  // read at the next run
  predictor->Run();
  CHECK(std::equal(expected.begin(), expected.end(), predictor->GetOutput(0)->data<float>()));
  CHECK(input->mutable_data<float>() != mine.data());
  input->ShareExternalMemory(mine.data(), bytes, TARGET(kHost));
  input->Resize({2, 3, 8, 8});  // no longer shared, not even with the same shape
  CHECK_THROWS(std::exception, predictor->Run(), "has not been set");
}

void TestPrecision() {
  const auto predictor = Load();
  const std::vector<float> expected = RunOnce(predictor.get());
  const auto input = predictor->GetInput(0);
  input->SetPrecision(PRECISION(kFloat));
  CHECK(input->IsInitialized() && input->precision() == PRECISION(kFloat));
  CHECK_THROWS(std::exception, input->SetPrecision(PRECISION(kInt32)), "takes float32");
  CHECK_THROWS(std::exception, input->SetPrecision(PRECISION(kAny)), "any");
  CHECK_THROWS(std::exception, input->mutable_metal_data(nullptr), "Metal");
  CHECK_THROWS(std::exception, predictor->GetOutput(0)->data<int64_t>(), "holds float32");
  CHECK(RunOnce(predictor.get()) == expected);
}

// Outputs stay when the memory of intermediate results goes.
void TestShrink() {
  const auto predictor = Load();
  CHECK(predictor->TryShrinkMemory());
  const std::vector<float> expected = RunOnce(predictor.get());
  CHECK(predictor->TryShrinkMemory());
  CHECK(std::equal(expected.begin(), expected.end(), predictor->GetOutput(0)->data<float>()));
  predictor->Run();
  CHECK(std::equal(expected.begin(), expected.end(), predictor->GetOutput(0)->data<float>()));
}

void TestBuffers() {
  std::ifstream file(kModel, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::vector<float> expected = RunOnce(Load().get());
  std::shared_ptr<PaddlePredictor> predictor;
  {
    MobileConfig config;
    config.set_model_from_buffer(bytes);
    CHECK(config.is_model_from_memory() && config.lite_model_buffer_size() == bytes.size());
    predictor = CreatePaddlePredictor(config);
    MobileConfig other;
    other.set_model_buffer(bytes.data(), bytes.size(), nullptr, 0);
    CHECK(RunOnce(CreatePaddlePredictor(other).get()) == expected);
  }
  CHECK(RunOnce(predictor.get()) == expected);  // the configuration is gone
}

void TestPlaces() {
  Place place(TARGET(kARM));
  CHECK(place == Place(TARGET(kARM), PRECISION(kFloat), DATALAYOUT(kNCHW)) && place.is_valid());
  CHECK(place.DebugString() == "arm/float/NCHW" && place.Serialize() == "4/1/1");
  CHECK(!Place().is_valid() && Place() < place && place != Place(TARGET(kX86)));
  CHECK(place.hash() != Place(TARGET(kX86)).hash());
  place.Deserialize("18/2/3");
  CHECK(place == Place(TARGET(kNNAdapter), PRECISION(kInt8), DATALAYOUT(kNHWC)));
  for (const char* text : {"", "1", "1/2", "1/2/", "1/2/99", "a/1/1", "1/1/1/1", "-1/1/1"})
    CHECK_THROWS(std::exception, place.Deserialize(text), "is no place");
  CHECK(place.DebugString() == "nnadapter/int8_t/NHWC");
  CHECK(TargetRepr(TARGET(kHuaweiAscendNPU)) == "kHuaweiAscendNPU");
  CHECK(PrecisionToStr(PRECISION(kFP64)) == "double" && PrecisionRepr(PRECISION(kFP16)) == "kFP16");
  CHECK(DataLayoutToStr(DATALAYOUT(kImageNW)) == "ImageNW");
  CHECK_THROWS(std::exception, TargetToStr(TargetType::NUM), "does not exist");
  CHECK(PrecisionTypeLength(PRECISION(kInt64)) == 8 && PrecisionTypeLength(PRECISION(kBool)) == 0);
  CHECK(PrecisionTypeTrait<int64_t>::Type() == PRECISION(kInt64));
  CHECK(PrecisionTypeTrait<int64_t*>::Type() == PRECISION(kUnk));
  CHECK(ExpandValidTargets().size() == 17 && ExpandValidTargets(TARGET(kX86)).size() == 1);
  CHECK(!IsOpenCLBackendValid() && GetOpenCLDeviceType() == -1);
}

// Settings that mean nothing here are accepted, and can be read.
void TestSettings() {
  MobileConfig config;
  config.set_model_from_file(kModel);
  config.set_power_mode(LITE_POWER_HIGH);
  config.set_opencl_tune(CL_TUNE_NORMAL, "path", "name", 4);
  config.set_opencl_binary_path_name("path", "name");
  config.set_opencl_precision(CL_PRECISION_FP16);
  config.set_metal_lib_path("lib");
  config.set_metal_use_mps(true);
  config.set_subgraph_model_cache_dir("cache");
  config.set_device_id(2);
  config.set_precision_mode(LITE_PRECISION_LOW);
  config.SetArmL3CacheSize(L3CacheSetMethod::kAbsolute, 1024);
  config.set_x86_math_num_threads(2);
  config.add_discarded_pass("one");
  CHECK(!config.check_fp16_valid() && !config.check_nnadapter_device_name("nothing_there"));
  CHECK(config.power_mode() == LITE_POWER_HIGH && config.get_device_id() == 2);
  CHECK(config.metal_use_mps() && config.x86_math_num_threads() == 2 && config.threads() == 1);
  CHECK(config.get_discarded_passes().size() == 1 && config.lite_model_file() == kModel);
  CHECK(RunOnce(CreatePaddlePredictor(config).get()) == RunOnce(Load().get()));
  config.set_threads(0);
  CHECK_THROWS(std::exception, CreatePaddlePredictor(config), "threads is 0, expected 1 to 256");
  config.set_threads(1);
  config.set_nnadapter_model_cache_dir("cache");
  CHECK_THROWS(std::exception, CreatePaddlePredictor(config),
               "nnadapter_model_cache_dir set, but no device");
}

void TestMistakes() {
  const auto predictor = Load();
  CHECK_THROWS(std::exception, predictor->GetInput(1),
               "input 1 does not exist: the model has 1, counted from 0");
  CHECK_THROWS(std::exception, predictor->GetOutput(-1),
               "output -1 does not exist: the model has 1, counted from 0");
  CHECK_THROWS(std::exception, predictor->GetInputByName("y"), "no input 'y'; it has ");
  CHECK_THROWS(std::exception, predictor->GetOutputByName("y"), "no output 'y'; it has ");
  CHECK_THROWS(std::exception, predictor->Run(), "has not been set");
  CHECK_THROWS(std::exception, predictor->GetOutput(0)->data<float>(), "no data");
  const auto input = predictor->GetInput(0);
  CHECK_THROWS(std::exception, input->Resize({-1, 3}), "negative");
  CHECK_THROWS(std::exception, input->Resize({1L << 40, 1L << 40}), "2^63");
  CHECK_THROWS(std::exception, input->mutable_data<int64_t>(), "takes float32");
  input->Resize({1, 4, 8, 8});
  input->mutable_data<float>();
  CHECK_THROWS(std::exception, predictor->Run(), "conv2d");
  RunOnce(predictor.get());
  const auto output = predictor->GetMutableTensor(predictor->GetOutputNames()[0]);
  CHECK_THROWS(std::exception, output->Resize({1}), "is written by Run()");
  CHECK_THROWS(std::exception, output->SetLoD({{0, 1}}), "is written by Run()");
  CHECK_THROWS(std::exception, output->CopyFromCpu<float>(nullptr), "is written by Run()");

  MobileConfig config;
  CHECK_THROWS(std::exception, CreatePaddlePredictor<MobileConfig>(config), "names no model");
  config.set_model_from_file("/nonexistent.nb");
  CHECK_THROWS(std::exception, CreatePaddlePredictor<MobileConfig>(config), "nonexistent");
  config.set_model_dir("some_folder");
  config.set_model_from_file("");
  CHECK_THROWS(std::exception, CreatePaddlePredictor<MobileConfig>(config), "takes one `.nb` file");
  config.set_model_from_buffer("not a model", 11);
  CHECK_THROWS(std::exception, CreatePaddlePredictor<MobileConfig>(config), "");
}

}  // namespace
}  // namespace paddle::lite_api

int main() {
  paddle::lite_api::TestRun();
  paddle::lite_api::TestLifetime();
  paddle::lite_api::TestCancel();
  paddle::lite_api::TestMistakes();
  paddle::lite_api::TestHandles();
  paddle::lite_api::TestNames();
  paddle::lite_api::TestKeptTensors();
  paddle::lite_api::TestSharedMemory();
  paddle::lite_api::TestPrecision();
  paddle::lite_api::TestShrink();
  paddle::lite_api::TestBuffers();
  paddle::lite_api::TestPlaces();
  paddle::lite_api::TestSettings();
  return paddle::lite::testing::g_failures ? 1 : 0;
}
