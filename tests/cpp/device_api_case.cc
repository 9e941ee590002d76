#include <algorithm>

#include "lite/api/light_predictor.h"
#include "lite/core/base/errors.h"
#include "tests/cpp/device_bench.h"
#include "tests/cpp/device_cases.h"
#include "tests/cpp/hostile_hal.h"
#include "tests/cpp/nb_samples.h"

namespace paddle::lite::testing {
namespace {

// A client that has lost its way: every call may get another handle than it should.
class Client {
 public:
  explicit Client(Random* random)
      : random_(*random), parts_(random, 30), bench_(random), wrong_(random->Below(4) * 30) {}

  int Run() {
    const size_t steps = 10 + random_.Below(50);
    for (size_t i = 0; i < steps; ++i) {
      if (random_.Below(4) == 0)
        Any();
      else
        Next();
    }
    for (void* made : models_) bench_.Keep(Bench::kModel, made);
    return bench_.computed;
  }

 private:
  bool Wrong() { return random_.Below(1000) < wrong_; }
  bool Ok(int code, const char* call) { return bench_.Ok(code, call); }

  // The latest of them, sometimes another, or what is no handle of this kind.
  template <typename Handle>
  Handle* Get(const std::vector<Handle*>& handles) {
    static int no_handle;
    if (Wrong()) {
      switch (random_.Below(5)) {
        case 0:
          return nullptr;
        case 1:
          return reinterpret_cast<Handle*>(&no_handle);
        case 2:
          return reinterpret_cast<Handle*>(random_.Next());
        case 3:
          if (!models_.empty()) return reinterpret_cast<Handle*>(models_.back());
          break;
        default:
          if (!devices_.empty()) return reinterpret_cast<Handle*>(devices_.back());
      }
    }
    if (handles.empty()) return nullptr;
    return random_.Below(6) == 0 ? handles[random_.Below(handles.size())] : handles.back();
  }
  template <typename Handle>
  std::vector<Handle*> Some(const std::vector<Handle*>& handles, size_t most) {
    std::vector<Handle*> some;
    for (size_t n = random_.Below(most + 1); n > 0; --n) some.push_back(Get(handles));
    return some;
  }
  // Where a result goes, rarely nowhere.
  template <typename T>
  T* Place(T* place) {
    return Wrong() ? nullptr : place;
  }

  // What a sensible client would do next.
  void Next() {
    if (devices_.empty()) return Acquire();
    if (contexts_.empty()) return MakeContext();
    if (finished_ == 0) return Planned();
    if (compilations_.empty()) return MakeCompilation();
    if (compiled_ == 0) return FinishCompilation();
    if (executions_.empty() || random_.Below(4) == 0) return MakeExecution();
    switch (random_.Below(4)) {
      case 0:
        return SetArguments();
      case 1:
        return Compute();
      case 2:
        return bench_.Execute(Get(compilations_), random_.Below(2) == 0);
      default:
        return Any();
    }
  }

  void Any() {
    using Call = void (Client::*)();
    static constexpr Call kCalls[] = {
        &Client::Acquire,       &Client::MakeContext,       &Client::MakeModel,
        &Client::AddOperand,    &Client::AddOperand,        &Client::SetValue,
        &Client::AddOperation,  &Client::AddOperation,      &Client::Identify,
        &Client::FinishModel,   &Client::Supported,         &Client::MakeCompilation,
        &Client::Planned,       &Client::FinishCompilation, &Client::Query,
        &Client::MakeExecution, &Client::SetArguments,      &Client::Compute,
        &Client::DeviceFacts,   &Client::DestroyOne,        &Client::OperandType,
        &Client::LibraryFacts,
    };
    (this->*kCalls[random_.Below(std::size(kCalls))])();
  }

  void Acquire() {
    static const char* const kNames[] = {
        "builtin_device",  "builtin_device", "builtin_device", "no_such_device", "", "../x", "a b",
        "paddle_lite_core"};
    NNAdapterDevice* device = nullptr;
    const char* name = kNames[random_.Below(devices_.empty() ? 3 : std::size(kNames))];
    if (Ok(NNAdapterDevice_acquire(Wrong() ? nullptr : name, Place(&device)), "acquire"))
      devices_.push_back(device);
    if (device) bench_.Keep(Bench::kDevice, device);
  }
  void DeviceFacts() {
    const char* text = nullptr;
    int32_t number = 0;
    Ok(NNAdapterDevice_getName(Get(devices_), Place(&text)), "getName");
    Ok(NNAdapterDevice_getVendor(Get(devices_), Place(&text)), "getVendor");
    Ok(NNAdapterDevice_getType(Get(devices_), Place(&number)), "getType");
    Ok(NNAdapterDevice_getVersion(Get(devices_), Place(&number)), "getVersion");
  }
  void LibraryFacts() {
    uint32_t number = 0;
    Ok(NNAdapter_getVersion(Place(&number)), "getVersion");
  }
  void MakeContext() {
    std::vector<NNAdapterDevice*> devices{Get(devices_)};
    if (Wrong()) devices = Some(devices_, 3);
    const std::string properties = parts_.Chance(3) ? parts_.Properties() : "";
    NNAdapterContext* context = nullptr;
    if (Ok(NNAdapterContext_create(Place(devices.data()), static_cast<uint32_t>(devices.size()),
                                   Wrong() ? nullptr : properties.c_str(), nullptr,
                                   Place(&context)),
           "Context_create"))
      contexts_.push_back(context);
    if (context) bench_.Keep(Bench::kContext, context);
  }
  void MakeModel() {
    NNAdapterModel* model = nullptr;
    if (!Ok(NNAdapterModel_create(Place(&model)), "Model_create")) return;
    models_.push_back(model);
  }
  // A whole model that is likely to be sound.
  void Planned() {
    if (NNAdapterModel* model = bench_.Model(parts_.Plan())) {
      finished_models_.push_back(model);
      ++finished_;
    }
  }
  void AddOperand() {
    if (models_.empty()) return MakeModel();
    std::vector<float> scales;
    const NNAdapterOperandType type =
        parts_.Type(parts_.Shape(), random_.Below(3) ? NNADAPTER_FLOAT32 : parts_.Odd(), &scales);
    NNAdapterOperand* operand = nullptr;
    if (Ok(NNAdapterModel_addOperand(Get(models_), Place(&type), Place(&operand)), "addOperand"))
      operands_.push_back(operand);
  }
  void SetValue() {
    size_t length = random_.Below(300);
    NNAdapterOperand* operand = Get(operands_);
    NNAdapterOperandType* type = nullptr;
    if (!Wrong() && NNAdapterModel_getOperandType(operand, &type) == NNADAPTER_NO_ERROR)
      length = static_cast<size_t>(std::max<int64_t>(BytesOf(*type), 0));
    bench_.memory.emplace_back(length);
    std::vector<uint8_t>& value = bench_.memory.back();
    for (uint8_t& byte : value) byte = static_cast<uint8_t>(random_.Below(3));
    Ok(NNAdapterModel_setOperandValue(operand, Place(value.data()), static_cast<uint32_t>(length),
                                      random_.Below(2) == 0),
       "setOperandValue");
  }
  void OperandType() {
    NNAdapterOperandType* type = nullptr;
    Ok(NNAdapterModel_getOperandType(Get(operands_), Place(&type)), "getOperandType");
  }
  void AddOperation() {
    if (operands_.empty()) return AddOperand();
    const std::vector<NNAdapterOperand*> in = Some(operands_, 5), out = Some(operands_, 2);
    NNAdapterOperation* operation = nullptr;
    Ok(NNAdapterModel_addOperation(
           Get(models_), Wrong() ? parts_.Odd() : static_cast<int32_t>(random_.Below(96)),
           Wrong() ? 0 : static_cast<uint32_t>(in.size()),
           const_cast<NNAdapterOperand**>(Place(in.data())), static_cast<uint32_t>(out.size()),
           const_cast<NNAdapterOperand**>(Place(out.data())), Place(&operation)),
       "addOperation");
  }
  void Identify() {
    std::vector<NNAdapterOperand*> in = Some(operands_, 3), out = Some(operands_, 3);
    Ok(NNAdapterModel_identifyInputsAndOutputs(Get(models_), static_cast<uint32_t>(in.size()),
                                               Place(in.data()), static_cast<uint32_t>(out.size()),
                                               Place(out.data())),
       "identify");
  }
  void FinishModel() {
    NNAdapterModel* model = Get(random_.Below(2) ? models_ : finished_models_);
    Ok(NNAdapterModel_finish(model), "Model_finish");
  }
  void Supported() {
    bool supported[64] = {};
    Ok(NNAdapterModel_getSupportedOperations(Get(finished_models_), Get(contexts_),
                                             Place(supported)),
       "getSupportedOperations");
  }
  void MakeCompilation() {
    static const char* const kTokens[] = {"", "token", "a/b", "..", "\xff\n"};
    const std::vector<uint8_t> buffer(random_.Below(3) ? 0 : random_.Below(200), 0x63);
    NNAdapterModel* model = random_.Below(8) ? Get(finished_models_) : Get(models_);
    NNAdapterCompilation* compilation = nullptr;
    const bool plain = random_.Below(2) == 0;
    if (Ok(NNAdapterCompilation_create(
               model, plain ? nullptr : kTokens[random_.Below(std::size(kTokens))],
               const_cast<uint8_t*>(Place(buffer.data())), static_cast<uint32_t>(buffer.size()),
               random_.Below(8) ? nullptr : "/dev/null", Get(contexts_), Place(&compilation)),
           "Compilation_create"))
      compilations_.push_back(compilation);
    if (compilation) bench_.Keep(Bench::kCompilation, compilation);
  }
  void FinishCompilation() {
    compiled_ += Ok(NNAdapterCompilation_finish(Get(compilations_)), "Compilation_finish");
  }
  void Query() {
    uint32_t inputs = 0, outputs = 0;
    Ok(NNAdapterCompilation_queryInputsAndOutputs(Get(compilations_), Place(&inputs), nullptr,
                                                  Place(&outputs), nullptr),
       "query");
  }
  void MakeExecution() {
    NNAdapterExecution* execution = nullptr;
    if (Ok(NNAdapterExecution_create(Get(compilations_), Place(&execution)), "Execution_create"))
      executions_.push_back(execution);
    if (execution) bench_.Keep(Bench::kExecution, execution);
  }
  void SetArguments() {
    bench_.sources.push_back({&random_, {}, true, {}});
    bench_.sources.back().type.dimensions.count = 1;
    bench_.sources.back().type.dimensions.data[0] = 2;
    bench_.sinks.push_back({&random_, true, nullptr, 0});
    // Elements as wide as any: the model may have another type than this feed.
    SetCode(&bench_.sources.back().type.precision, NNADAPTER_FLOAT64);
    const int32_t index = Wrong() ? parts_.Odd() : static_cast<int32_t>(random_.Below(3));
    Ok(NNAdapterExecution_setInput(Get(executions_), index, &bench_.sources.back(),
                                   Wrong() ? nullptr : AccessSource),
       "setInput");
    Ok(NNAdapterExecution_setOutput(Get(executions_), index, &bench_.sinks.back(),
                                    Wrong() ? nullptr : AccessSink),
       "setOutput");
  }
  void Compute() { bench_.computed += Ok(NNAdapterExecution_compute(Get(executions_)), "compute"); }
  void DestroyOne() {
    const auto kind = static_cast<Bench::Kind>(random_.Below(Bench::kKinds));
    void* handle = nullptr;
    if (kind == Bench::kDevice) handle = Get(devices_);
    if (kind == Bench::kContext) handle = Get(contexts_);
    if (kind == Bench::kModel) handle = Get(random_.Below(2) ? models_ : finished_models_);
    if (kind == Bench::kCompilation) handle = Get(compilations_);
    if (kind == Bench::kExecution) handle = Get(executions_);
    Bench::Destroy(kind, handle);  // and its number stays in the list
  }

  Random& random_;
  RandomParts parts_;
  Bench bench_;
  const size_t wrong_;  // in 1/1000
  std::vector<NNAdapterDevice*> devices_;
  std::vector<NNAdapterContext*> contexts_;
  std::vector<NNAdapterModel*> models_, finished_models_;
  std::vector<NNAdapterOperand*> operands_;
  std::vector<NNAdapterCompilation*> compilations_;
  std::vector<NNAdapterExecution*> executions_;
  int finished_ = 0, compiled_ = 0;
};

}  // namespace

int ApiCase(Random* random) { return Client(random).Run(); }

int HalCase(Random* random) {
  RandomParts parts(random, random->Below(3) * 15);
  const size_t hostility = random->Below(5) * 30;
  HostileHal first(0, "hostile", random, hostility), second(1, "second", random, hostility);
  Bench bench(random);
  std::vector<NNAdapterDevice*> devices;
  for (const char* name : {"hostile", "second", "builtin_device"})
    if (random->Below(4) || name[0] == 'b')
      if (NNAdapterDevice* device = bench.Device(name)) devices.push_back(device);
  std::swap(devices[random->Below(devices.size())], devices[0]);
  NNAdapterContext* context = bench.Context(devices, "");
  NNAdapterModel* model = bench.Model(parts.Plan());
  if (!context || !model) return 0;
  const char* token = random->Below(3) ? nullptr : "token";
  NNAdapterCompilation* compilation = bench.Compile(model, token, nullptr, {}, context);
  if (compilation) bench.Execute(compilation, random->Below(4) == 0);
  bench.DestroyAll();
  return bench.computed;
}

int PropertiesCase(Random* random) {
  RandomParts parts(random, 20);
  Bench bench(random);
  HostileHal hal(0, "hostile", random, 0);
  NNAdapterDevice* builtin = bench.Device("builtin_device");
  NNAdapterDevice* hostile = bench.Device("hostile");
  NNAdapterContext* context = bench.Context({builtin, hostile}, parts.Properties().c_str());
  if (!context || random->Below(4)) return 0;
  NNAdapterModel* model = bench.Model(parts.Plan());
  NNAdapterCompilation* compilation =
      model ? bench.Compile(model, nullptr, nullptr, {}, context) : nullptr;
  if (compilation) bench.Execute(compilation, false);
  bench.DestroyAll();
  return bench.computed;
}

int PredictorCase(Random* random) {
  static const std::string file = FileMeta2(SubgraphProgram(), LinearParams());
  const size_t hostility = random->Below(5) * 30;
  HostileHal first(0, "hostile", random, hostility), second(1, "second", random, hostility);
  DeviceSettings settings;
  settings.strict = random->Below(2) == 0;
  for (const char* name : {"hostile", "second", "builtin_device"})
    if (random->Below(2)) settings.device_names.push_back(name);
  if (random->Below(8) == 0) settings.context_properties = RandomParts(random, 5).Properties();
  if (random->Below(3) == 0) settings.dynamic_shape_info["x"] = {{1, 3}, {2, 3}};
  int ran = 0;
  try {
    const auto* bytes = reinterpret_cast<const uint8_t*>(file.data());
    const auto predictor = LightPredictor::FromBuffer(bytes, file.size(), nullptr, settings);
    const auto clone = random->Below(2) ? predictor->Clone() : predictor;
    for (int run = 0; run < 4; ++run) {
      const float x[] = {1, 2, 3, -1, -2, -3, 0.5, 0, 1};
      TensorMeta meta;
      meta.dims = {1 + static_cast<int64_t>(random->Below(3)), 3};
      const auto size = static_cast<size_t>(meta.dims.production()) * sizeof(float);
      try {
        const auto& on = run % 2 ? clone : predictor;
        const std::vector<Tensor> outputs = on->Run({{meta, x, size}});
        for (const Tensor& output : outputs)
          if (output.memory_size() > 0)
            ran += static_cast<const uint8_t*>(output.raw_data())[output.memory_size() - 1] < 255;
      } catch (const LiteError& error) {
        if (std::strlen(error.what()) == 0) throw Violation("an error without a text");
      }
      for (const SubgraphReport& report : predictor->DeviceReports())
        if (report.outcomes.size() > 16) throw Violation("a report without an end");
    }
  } catch (const LiteError& error) {
    if (std::strlen(error.what()) == 0) throw Violation("an error without a text");
  }
  return ran;
}

}  // namespace paddle::lite::testing
