// Paddle Inference's C API: the calls of its programs, and their mistakes. Only the SDK's headers.
#include <pd_inference_api.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/cpp/check.h"

namespace {

constexpr const char* kModel = LITE_TEST_DATA "/conv.x86.214.nb";
constexpr size_t kCount = 2 * 3 * 8 * 8;

template <typename T>
struct Destroy;
#define DESTROYED_BY(T, function)                  \
  template <>                                      \
  struct Destroy<T> {                              \
    void operator()(T* it) const { function(it); } \
  };
DESTROYED_BY(PD_Predictor, PD_PredictorDestroy)
DESTROYED_BY(PD_Tensor, PD_TensorDestroy)
DESTROYED_BY(PD_OneDimArrayCstr, PD_OneDimArrayCstrDestroy)
DESTROYED_BY(PD_OneDimArrayInt32, PD_OneDimArrayInt32Destroy)
DESTROYED_BY(PD_TwoDimArraySize, PD_TwoDimArraySizeDestroy)
DESTROYED_BY(PD_IOInfos, PD_IOInfosDestroy)
DESTROYED_BY(PD_Cstr, PD_CstrDestroy)
#undef DESTROYED_BY
template <typename T>
std::unique_ptr<T, Destroy<T>> Own(T* it) {
  return std::unique_ptr<T, Destroy<T>>(it);
}
using Predictor = std::unique_ptr<PD_Predictor, Destroy<PD_Predictor>>;

bool Said(const std::string& part) {
  return std::string(PD_GetLastError()).find(part) != std::string::npos;
}

Predictor Open() {
  PD_Config* const config = PD_ConfigCreate();
  PD_ConfigSetModelDir(config, kModel);
  return Own(PD_PredictorCreate(config));
}

std::vector<float> Sines(float factor) {
  std::vector<float> values(kCount);
  for (size_t i = 0; i < kCount; ++i) values[i] = factor * std::sin(static_cast<float>(i));
  return values;
}

std::vector<float> RunOnce(PD_Predictor* predictor, float factor = 1) {
  int32_t shape[] = {2, 3, 8, 8};
  const auto input = Own(PD_PredictorGetInputHandle(predictor, "x"));
  PD_TensorReshape(input.get(), 4, shape);
  PD_TensorCopyFromCpuFloat(input.get(), Sines(factor).data());
  CHECK(PD_PredictorRun(predictor) == TRUE);
  const auto names = Own(PD_PredictorGetOutputNames(predictor));
  const auto output = Own(PD_PredictorGetOutputHandle(predictor, names->data[0]));
  CHECK(std::string(PD_TensorGetName(output.get())) == names->data[0]);
  CHECK(PD_TensorGetDataType(output.get()) == PD_DATA_FLOAT32);
  const auto dims = Own(PD_TensorGetShape(output.get()));
  CHECK(dims->size == 2 && dims->data[0] == 2 && dims->data[1] == 5);
  std::vector<float> values(10);
  PD_TensorCopyToCpuFloat(output.get(), values.data());
  PD_PlaceType place = PD_PLACE_UNK;
  int32_t size = 0;
  CHECK(PD_TensorDataFloat(output.get(), &place, &size)[9] == values[9]);
  CHECK(place == PD_PLACE_CPU && size == 10);
  return values;
}

void TestRun() {
  const Predictor predictor = Open();
  const std::vector<float> values = RunOnce(predictor.get());
  float sum = 0;  // the model ends in a softmax
  for (const float value : values) sum += value;
  CHECK(std::fabs(sum - 2) < 1e-5);
  CHECK(RunOnce(predictor.get(), 2) != values && RunOnce(predictor.get()) == values);
  CHECK(PD_PredictorGetInputNum(predictor.get()) == 1);
  CHECK(PD_PredictorGetOutputNum(predictor.get()) == 1);
  const auto infos = Own(PD_PredictorGetInputInfos(predictor.get()));
  const PD_IOInfo& x = *infos->io_info[0];
  CHECK(infos->size == 1 && std::string(x.name->data) == "x" && x.name->size == 2);
  CHECK(x.dtype == PD_DATA_FLOAT32 && x.shape->size == 4 && x.shape->data[3] == 8);
  CHECK(Own(PD_PredictorGetOutputInfos(predictor.get()))->io_info[0]->shape->size == 2);
  PD_PredictorClearIntermediateTensor(predictor.get());
  CHECK(PD_PredictorTryShrinkMemory(predictor.get()) == 0);
  CHECK(RunOnce(predictor.get()) == values);
  const auto clone = Own(PD_PredictorClone(predictor.get()));
  std::thread thread([&] { CHECK(RunOnce(clone.get()) == values); });
  CHECK(RunOnce(predictor.get()) == values);
  thread.join();
  CHECK(std::string(PD_GetVersion()).find("engine: lite") != std::string::npos);
}

// In the predictor's memory, and from a model in memory that is gone by then.
void TestMemory() {
  const std::vector<float> expected = RunOnce(Open().get());
  PD_Config* const config = PD_ConfigCreate();
  {
    std::ifstream file(kModel, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    PD_ConfigSetModelBuffer(config, bytes.data(), bytes.size(), nullptr, 0);
  }
  CHECK(PD_ConfigModelFromMemory(config) == TRUE && *PD_ConfigGetModelDir(config) == 0);
  const Predictor predictor = Own(PD_PredictorCreate(config));
  CHECK(RunOnce(predictor.get(), 3) != expected);
  const auto input = Own(PD_PredictorGetInputHandle(predictor.get(), "x"));
  float* const data = PD_TensorMutableDataFloat(input.get(), PD_PLACE_CUSTOM);
  const std::vector<float> sines = Sines(1);
  std::copy(sines.begin(), sines.end(), data);
  CHECK(PD_PredictorRun(predictor.get()) == TRUE && RunOnce(predictor.get()) == expected);
}

void TestLod() {
  const Predictor predictor = Open();
  const auto input = Own(PD_PredictorGetInputHandle(predictor.get(), "x"));
  size_t offsets[] = {0, 1, 2};
  PD_OneDimArraySize level = {3, offsets};
  PD_OneDimArraySize* levels[] = {&level};
  PD_TwoDimArraySize lod = {1, levels};
  PD_TensorSetLod(input.get(), &lod);
  const auto found = Own(PD_TensorGetLod(input.get()));
  CHECK(found->size == 1 && found->data[0]->size == 3 && found->data[0]->data[1] == 1);
  lod.data = nullptr;
  PD_TensorSetLod(input.get(), &lod);
  CHECK(Said("the LoD's data is null"));
}

void TestSettings() {
  PD_Config* const config = PD_ConfigCreate();
  PD_ConfigSetModel(config, "a.pdmodel", "a.pdiparams");
  CHECK(std::string(PD_ConfigGetProgFile(config)) == "a.pdmodel");
  CHECK(std::string(PD_ConfigGetParamsFile(config)) == "a.pdiparams");
  PD_ConfigSetCpuMathLibraryNumThreads(config, 3);
  CHECK(PD_ConfigGetCpuMathLibraryNumThreads(config) == 3);
  PD_ConfigSwitchIrOptim(config, FALSE);
  CHECK(PD_ConfigIrOptim(config) == FALSE);
  PD_ConfigEnableUseGpu(config, 100, 0, PD_PRECISION_HALF);
  CHECK(PD_ConfigUseGpu(config) == FALSE);
  PD_ConfigAppendPass(config, "some_pass");
  const auto passes = Own(PD_ConfigAllPasses(config));
  CHECK(std::string(passes->data[passes->size - 1]) == "some_pass");
  PD_ConfigDeletePass(config, "some_pass");
  CHECK(Own(PD_ConfigAllPasses(config))->size == passes->size - 1);
  const auto summary = Own(PD_ConfigSummary(config));
  CHECK(std::string(summary->data).size() == summary->size - 1);
  const char* types[] = {"conv2d", "relu"};
  PD_ConfigSetMkldnnOp(config, 2, types);
  PD_ConfigEnableLiteEngine(config, PD_PRECISION_FLOAT32, FALSE, 0, nullptr, 2, types);
  CHECK(PD_ConfigLiteEngineEnabled(config) == TRUE);
  const char* names[] = {"x"};
  size_t rank = 2;
  int32_t shape[] = {1, 2};
  int32_t* shapes[] = {shape};
  PD_ConfigSetTrtDynamicShapeInfo(config, 1, names, &rank, shapes, shapes, shapes, FALSE);
  CHECK(PD_ConfigTensorRtDynamicShapeEnabled(config) == TRUE);
  CHECK(PD_ConfigIsValid(config) == TRUE);
  PD_ConfigDestroy(config);
}

// A configuration of which a setting failed makes no predictor: it would not do what was asked for.
void TestFailedSettings() {
  const auto refused = [](const char* part, void (*set)(PD_Config*)) {
    PD_Config* const config = PD_ConfigCreate();
    PD_ConfigSetModelDir(config, kModel);
    set(config);
    CHECK(PD_ConfigIsValid(config) == FALSE);
    CHECK(PD_PredictorCreate(config) == nullptr && Said("not valid") && Said(part));
  };
  refused("PD_ConfigSetInvalid", PD_ConfigSetInvalid);
  refused("TensorRT", [](PD_Config* config) {
    PD_ConfigEnableTensorRtEngine(config, 1 << 20, 1, 3, PD_PRECISION_HALF, FALSE, FALSE);
  });
  refused("no precision 7", [](PD_Config* config) { PD_ConfigEnableUseGpu(config, 100, 0, 7); });
  refused("path is null", [](PD_Config* config) { PD_ConfigSetProgFile(config, nullptr); });
  refused("the list is null",
          [](PD_Config* config) { PD_ConfigSetBfloat16Op(config, 2, nullptr); });
  refused("PD_ConfigInsertPass",
          [](PD_Config* config) { PD_ConfigInsertPass(config, 100000, "a_pass"); });
}

// What was not set is not run with what was set before.
void TestFailedInputs() {
  const Predictor predictor = Open();
  const std::vector<float> expected = RunOnce(predictor.get());
  const auto input = Own(PD_PredictorGetInputHandle(predictor.get(), "x"));
  int32_t shape[] = {2, 3, 8, -8};
  int64_t numbers[kCount] = {};
  const auto refused = [&](const char* part) {
    CHECK(Said(part));
    CHECK(PD_PredictorRun(predictor.get()) == FALSE && Said("not run") && Said(part));
    CHECK(RunOnce(predictor.get()) == expected);
  };
  PD_TensorReshape(input.get(), 4, shape);
  refused("PD_TensorReshape");
  PD_TensorReshape(input.get(), 4, nullptr);
  refused("the shape is null");
  PD_TensorCopyFromCpuFloat(input.get(), nullptr);
  refused("was given null");
  PD_TensorCopyFromCpuInt64(input.get(), numbers);
  refused("PD_TensorCopyFromCpuInt64");
  CHECK(PD_TensorMutableDataFloat(input.get(), 9) == nullptr);
  refused("no place 9");
  const auto names = Own(PD_PredictorGetOutputNames(predictor.get()));
  const auto output = Own(PD_PredictorGetOutputHandle(predictor.get(), names->data[0]));
  CHECK(PD_TensorDataInt32(output.get(), nullptr, nullptr) == nullptr && Said("int32"));
  PD_TensorCopyToCpuFloat(output.get(), nullptr);
  CHECK(Said("was given null") && RunOnce(predictor.get()) == expected);
  CHECK(PD_PredictorGetInputHandle(predictor.get(), "nobody") == nullptr && Said("nobody"));
  CHECK(PD_PredictorGetInputHandle(predictor.get(), nullptr) == nullptr && Said("name is null"));
}

// Handles outlive their predictor.
void TestOrder() {
  Predictor predictor = Open();
  const auto input = Own(PD_PredictorGetInputHandle(predictor.get(), "x"));
  predictor.reset();
  PD_TensorCopyFromCpuFloat(input.get(), Sines(1).data());
  CHECK(std::string(PD_TensorGetName(input.get())) == "x");
}

void TestNull() {
  CHECK(PD_PredictorCreate(nullptr) == nullptr && Said("the configuration is null"));
  CHECK(PD_PredictorRun(nullptr) == FALSE && Said("PD_PredictorRun: the predictor is null"));
  CHECK(PD_PredictorClone(nullptr) == nullptr && PD_PredictorGetInputNum(nullptr) == 0);
  CHECK(PD_TensorGetShape(nullptr) == nullptr && PD_TensorGetName(nullptr) == nullptr);
  CHECK(PD_TensorGetDataType(nullptr) == PD_DATA_UNK && Said("the tensor is null"));
  CHECK(PD_ConfigSummary(nullptr) == nullptr && PD_ConfigUseXpu(nullptr) == FALSE);
  PD_ConfigEnableMKLDNN(nullptr);
  PD_ConfigDestroy(nullptr);
  PD_PredictorDestroy(nullptr);
  PD_TensorDestroy(nullptr);
  PD_OneDimArrayInt32Destroy(nullptr);
  PD_OneDimArrayInt64Destroy(nullptr);
  PD_OneDimArraySizeDestroy(nullptr);
  PD_OneDimArrayCstrDestroy(nullptr);
  PD_TwoDimArraySizeDestroy(nullptr);
  PD_CstrDestroy(nullptr);
  PD_IOInfoDestroy(nullptr);
  PD_IOInfosDestroy(nullptr);
}

}  // namespace

int main() {
  TestRun();
  TestMemory();
  TestLod();
  TestSettings();
  TestFailedSettings();
  TestFailedInputs();
  TestOrder();
  TestNull();
  return paddle::lite::testing::g_failures == 0 ? 0 : 1;
}
