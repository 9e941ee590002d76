// NNAdapter from four threads at once; meant for ThreadSanitizer.
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "lite/api/light_predictor.h"
#include "lite/nnadapter/driver/builtin_device/device.h"
#include "lite/nnadapter/runtime/device_manager.h"
#include "tests/cpp/check.h"
#include "tests/cpp/nb_samples.h"

namespace paddle::lite {
namespace {

using namespace paddle::lite::testing;

constexpr int kThreads = 4, kTurns = 20;
constexpr int32_t kRows = 4, kColumns = 8;
constexpr size_t kElements = kRows * kColumns;

void InThreads(const std::function<void(int)>& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}

// builtin_device under another name, for the RELUs only.
int TakeRelu(void*, const nnadapter::core::Model* model, bool* supported) {
  for (const nnadapter::core::Operation& operation : model->operations)
    *supported++ = operation.type == NNADAPTER_RELU;
  return NNADAPTER_NO_ERROR;
}
nnadapter::driver::Device Renamed(const char* name) {
  nnadapter::driver::Device device = *nnadapter::builtin_device::Get();
  device.name = name;
  device.validate_program = TakeRelu;
  return device;
}

NNAdapterOperandType FloatType(const std::vector<int32_t>& dims) {
  NNAdapterOperandType type{};
  type.precision = NNADAPTER_FLOAT32;
  type.dimensions.count = static_cast<uint32_t>(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) type.dimensions.data[i] = dims[i];
  return type;
}

NNAdapterOperand* Add(NNAdapterModel* model, int32_t type, std::vector<NNAdapterOperand*> inputs) {
  NNAdapterOperandType unknown{};
  unknown.precision = static_cast<NNAdapterOperandPrecisionCode>(NNADAPTER_FLOAT32);
  unknown.dimensions.count = 2;
  unknown.dimensions.data[0] = kRows;
  unknown.dimensions.data[1] = kColumns;
  NNAdapterOperand* output = nullptr;
  NNAdapterOperation* operation = nullptr;
  CHECK(NNAdapterModel_addOperand(model, &unknown, &output) == NNADAPTER_NO_ERROR);
  CHECK(NNAdapterModel_addOperation(model, type, static_cast<uint32_t>(inputs.size()),
                                    inputs.data(), 1, &output, &operation) == NNADAPTER_NO_ERROR);
  return output;
}

std::vector<float> g_weights(kElements);

// relu(tanh(relu(x + w))), so that RELUs and the rest alternate.
NNAdapterModel* MakeModel() {
  NNAdapterModel* model = nullptr;
  CHECK(NNAdapterModel_create(&model) == NNADAPTER_NO_ERROR);
  NNAdapterOperandType tensor = FloatType({kRows, kColumns}), scalar = FloatType({1});
  scalar.precision = NNADAPTER_INT32;
  NNAdapterOperand *x, *w, *fuse;
  CHECK(NNAdapterModel_addOperand(model, &tensor, &x) == NNADAPTER_NO_ERROR);
  CHECK(NNAdapterModel_addOperand(model, &tensor, &w) == NNADAPTER_NO_ERROR);
  CHECK(NNAdapterModel_addOperand(model, &scalar, &fuse) == NNADAPTER_NO_ERROR);
  int32_t none = NNADAPTER_FUSED_NONE;
  CHECK(NNAdapterModel_setOperandValue(fuse, &none, sizeof(none), true) == NNADAPTER_NO_ERROR);
  const auto size = static_cast<uint32_t>(kElements * sizeof(float));
  CHECK(NNAdapterModel_setOperandValue(w, g_weights.data(), size, false) == NNADAPTER_NO_ERROR);
  NNAdapterOperand* y = Add(model, NNADAPTER_RELU, {Add(model, NNADAPTER_ADD, {x, w, fuse})});
  y = Add(model, NNADAPTER_RELU, {Add(model, NNADAPTER_TANH, {y})});
  CHECK(NNAdapterModel_identifyInputsAndOutputs(model, 1, &x, 1, &y) == NNADAPTER_NO_ERROR);
  CHECK(NNAdapterModel_finish(model) == NNADAPTER_NO_ERROR);
  return model;
}

void* AccessFloats(void* memory, NNAdapterOperandType* type, void*) {
  type->dimensions = FloatType({kRows, kColumns}).dimensions;
  return memory;
}

void RunOnce(NNAdapterCompilation* compilation, int seed) {
  std::vector<float> x(kElements), y(kElements);
  for (size_t i = 0; i < kElements; ++i)
    x[i] = std::sin(static_cast<float>(seed + static_cast<int>(i)));
  NNAdapterExecution* execution = nullptr;
  CHECK(NNAdapterExecution_create(compilation, &execution) == NNADAPTER_NO_ERROR);
  CHECK(NNAdapterExecution_setInput(execution, 0, x.data(), AccessFloats) == NNADAPTER_NO_ERROR);
  CHECK(NNAdapterExecution_setOutput(execution, 0, y.data(), AccessFloats) == NNADAPTER_NO_ERROR);
  CHECK(NNAdapterExecution_compute(execution) == NNADAPTER_NO_ERROR);
  NNAdapterExecution_destroy(execution);
  bool same = true;
  for (size_t i = 0; i < kElements; ++i)
    same = same && std::fabs(y[i] - std::tanh(std::max(x[i] + g_weights[i], 0.0f))) < 1e-5f;
  CHECK(same);
}

NNAdapterContext* MakeContext(const std::vector<const char*>& names) {
  std::vector<NNAdapterDevice*> devices(names.size());
  for (size_t i = 0; i < names.size(); ++i)
    CHECK(NNAdapterDevice_acquire(names[i], &devices[i]) == NNADAPTER_NO_ERROR);
  NNAdapterContext* context = nullptr;
  CHECK(NNAdapterContext_create(devices.data(), static_cast<uint32_t>(devices.size()), "", nullptr,
                                &context) == NNADAPTER_NO_ERROR);
  for (NNAdapterDevice* device : devices) NNAdapterDevice_release(device);
  return context;
}

NNAdapterCompilation* Compile(NNAdapterModel* model, NNAdapterContext* context, const char* token,
                              const char* dir) {
  NNAdapterCompilation* compilation = nullptr;
  CHECK(NNAdapterCompilation_create(model, token, nullptr, 0, dir, context, &compilation) ==
        NNADAPTER_NO_ERROR);
  CHECK(NNAdapterCompilation_finish(compilation) == NNADAPTER_NO_ERROR);
  return compilation;
}

// One model for all: each thread compiles it, through one cache file at times, and runs it.
void TestCompiling(const std::vector<const char*>& devices, const char* dir) {
  NNAdapterModel* model = MakeModel();
  InThreads([&](int thread) {
    for (int turn = 0; turn < kTurns; ++turn) {
      NNAdapterContext* context = MakeContext(devices);
      const bool cached = (thread + turn) % 2 == 0;
      NNAdapterCompilation* compilation =
          Compile(model, context, cached ? "shared" : nullptr, cached ? dir : nullptr);
      NNAdapterContext_destroy(context);
      for (int run = 0; run < 3; ++run) RunOnce(compilation, thread * 100 + turn * 10 + run);
      NNAdapterCompilation_destroy(compilation);
    }
  });
  NNAdapterModel_destroy(model);
  std::remove((std::string(dir) + "/shared.nnc").c_str());
}

void TestOneCompilation(const std::vector<const char*>& devices) {
  NNAdapterModel* model = MakeModel();
  NNAdapterContext* context = MakeContext(devices);
  NNAdapterCompilation* compilation = Compile(model, context, nullptr, nullptr);
  NNAdapterModel_destroy(model);
  InThreads([&](int thread) {
    for (int run = 0; run < 10; ++run) RunOnce(compilation, thread * 100 + run);
  });
  NNAdapterCompilation_destroy(compilation);
  NNAdapterContext_destroy(context);
}

// Devices come and go, contexts with them, and every thread asks for its own last error.
void TestDevices() {
  InThreads([&](int thread) {
    const std::string name = "mine_" + std::to_string(thread);
    for (int turn = 0; turn < kTurns; ++turn) {
      const nnadapter::driver::Device mine = Renamed(name.c_str());
      nnadapter::runtime::RegisterDevice(&mine);
      NNAdapterContext* context = MakeContext({"builtin_device", name.c_str()});
      uint32_t count = 0;
      CHECK(NNAdapter_getDeviceCount(&count) == NNADAPTER_NO_ERROR && count >= 2);
      NNAdapterDevice* missing = nullptr;
      const std::string other = "missing_" + std::to_string(thread);
      CHECK(NNAdapterDevice_acquire(other.c_str(), &missing) == NNADAPTER_DEVICE_NOT_FOUND);
      CHECK(std::strstr(NNAdapter_getLastErrorMessage(), other.c_str()) != nullptr);
      NNAdapterContext_destroy(context);
      nnadapter::runtime::UnregisterDevice(name);
    }
  });
}

// Predictors with a subgraph, and their clones.
void TestPredictors(const std::vector<std::string>& devices) {
  const std::string file = FileMeta2(SubgraphProgram(), LinearParams());
  DeviceSettings settings;
  settings.device_names = devices;
  settings.strict = true;
  const auto load = [&] {
    return LightPredictor::FromBuffer(reinterpret_cast<const uint8_t*>(file.data()), file.size(),
                                      nullptr, settings);
  };
  const auto run = [](LightPredictor* predictor, int64_t batch) {
    TensorMeta meta;
    meta.dims = {batch, 3};
    std::vector<float> x(static_cast<size_t>(3 * batch));
    for (size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<float>(i));
    const Tensor y = predictor->Run({{meta, x.data(), x.size() * sizeof(float)}}).at(0);
    return std::vector<float>(y.data<float>(), y.data<float>() + y.numel());
  };
  const auto first = load();
  const std::vector<float> expected = run(first.get(), 2);
  InThreads([&](int thread) {
    const auto own = load();
    const auto clone = (thread % 2 ? first : own)->Clone();
    for (int turn = 0; turn < 2 * kTurns; ++turn) {
      run(clone.get(), 1 + turn % 3);
      CHECK(run(clone.get(), 2) == expected);
      CHECK(run(first.get(), 2) == expected);
      CHECK(!first->DeviceReports().empty());
    }
  });
}

}  // namespace
}  // namespace paddle::lite

int main() {
  using namespace paddle::lite;
  for (size_t i = 0; i < g_weights.size(); ++i) g_weights[i] = std::cos(static_cast<float>(i));
  const nnadapter::driver::Device relus = Renamed("relus");
  nnadapter::runtime::RegisterDevice(&relus);
  char dir[] = "/tmp/nnadapter_threads.XXXXXX";
  CHECK(mkdtemp(dir) != nullptr);
  TestCompiling({"builtin_device"}, dir);
  TestCompiling({"relus", "builtin_device"}, dir);
  TestOneCompilation({"builtin_device"});
  TestOneCompilation({"relus", "builtin_device"});
  TestDevices();
  TestPredictors({"builtin_device"});
  TestPredictors({"relus", "builtin_device"});
  std::remove(dir);
  nnadapter::runtime::UnregisterDevice("relus");
  return testing::g_failures ? 1 : 0;
}
