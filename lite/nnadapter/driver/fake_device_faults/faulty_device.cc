// fake_device whose SDK has bugs: property or environment variable FAKE_DEVICE_FAULT.
#include "nnadapter/hal/hal.h"

#pragma push_macro("NNADAPTER_REGISTER_HAL")
#undef NNADAPTER_REGISTER_HAL
#define NNADAPTER_REGISTER_HAL(...)
#include "../fake_device/fake_device.cc"
#pragma pop_macro("NNADAPTER_REGISTER_HAL")

#include "faults.h"

namespace {

// Runs the template's network layer by layer, and spoils what the faults are for.
class FaultyProgram : public hal::Program {
 public:
  FaultyProgram(fake_sdk::Network network, fake_sdk::Faults faults, std::vector<uint8_t> saved)
      : network_(std::move(network)), faults_(std::move(faults)), saved_(std::move(saved)) {
    Prepare();
  }

  std::vector<uint8_t> Save() override { return saved_; }

  void Run(const std::vector<hal::Tensor>& inputs, hal::Outputs& outputs) override {
    faults_.StartRun();
    std::map<int, fake_sdk::Tensor> values = network_.weights;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const float* data = inputs[i].As<float>();
      values[network_.inputs[i]] = {inputs[i].dims(), {data, data + inputs[i].size()}};
    }
    for (const fake_sdk::Layer& layer : network_.layers) {
      fake_sdk::Network alone{{layer}, {}, layer.inputs, {layer.output}};
      std::vector<fake_sdk::Tensor> operands;
      for (int id : layer.inputs) operands.push_back(values.at(id));
      fake_sdk::Tensor result = fake_sdk::Run(alone, operands).front();
      faults_.Apply(layer.output, layer.kind, &result.dims, &result.data);
      if (faults_.Has("inputs", layer.kind)) WriteOver(layer.inputs[0], inputs);
      values[layer.output] = std::move(result);
    }
    for (size_t i = 0; i < network_.outputs.size(); ++i) {
      const fake_sdk::Tensor& result = values.at(network_.outputs[i]);
      float* to = outputs.Allocate<float>(i, result.dims);
      std::copy(result.data.begin(), result.data.end(), to);
    }
  }

 private:
  void WriteOver(int id, const std::vector<hal::Tensor>& inputs) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      float* data = static_cast<float*>(inputs[i].data);
      for (int64_t k = 0; network_.inputs[i] == id && k < inputs[i].size(); ++k)
        data[k] = 0.5f * data[k] + 1;
    }
  }

  // The faults that are there before a network runs.
  void Prepare() {
    static std::mutex mutex;
    static std::map<std::vector<int>, fake_sdk::Tensor> packed;
    std::map<int, bool> made;
    for (fake_sdk::Layer& layer : network_.layers) {
      const int kind = layer.kind;
      if (faults_.Has("build_error", kind)) throw std::runtime_error("the SDK cannot build it");
      if (faults_.Has("build_crash", kind)) std::raise(SIGSEGV);
      if (faults_.Has("build_hang", kind)) fake_sdk::Hang();
      const auto weight = network_.weights.find(layer.inputs.size() > 1 ? layer.inputs[1] : -1);
      if (weight != network_.weights.end()) {
        const std::vector<int> dims = weight->second.dims;
        std::lock_guard<std::mutex> lock(mutex);
        if (faults_.Has("weights", kind, dims.empty() ? 0 : dims[0]))
          weight->second = packed.emplace(dims, weight->second).first->second;
      }
      const bool fused =
          kind == fake_sdk::kRelu ? made[layer.inputs[0]] : kind == fake_sdk::kConvolution;
      if (fused && faults_.Has("fold", kind)) {
        layer.options.low = -INFINITY;
        layer.options.high = INFINITY;
      }
      made[layer.output] = true;
    }
  }

  fake_sdk::Network network_;
  fake_sdk::Faults faults_;
  std::vector<uint8_t> saved_;
};

class FaultyDevice : public FakeDevice {
 public:
  explicit FaultyDevice(const hal::Properties& properties)
      : faults_(properties.Get("FAKE_DEVICE_FAULT")) {}

  std::unique_ptr<hal::Program> Build(core::Model& model) override {
    if (faults_.empty()) return FakeDevice::Build(model);
    std::vector<uint8_t> saved;
    if (faults_.Has("cache")) saved = SpoiledCache(model);
    const std::unique_ptr<hal::Program> built = FakeDevice::Build(model);
    fake_sdk::Network network = static_cast<Program*>(built.get())->network;
    return std::make_unique<FaultyProgram>(std::move(network), faults_, std::move(saved));
  }

 private:
  // A cache whose weights are not the model's.
  std::vector<uint8_t> SpoiledCache(const core::Model& model) const {
    hal::ModelCopy copy(model);
    for (core::Operation& operation : copy.model().operations) {
      const auto layer = kLayers.find(operation.type);
      const int kind = layer == kLayers.end() ? fake_sdk::kFullyConnected : layer->second.first;
      for (core::Operand* operand : operation.input_operands) {
        const bool weights =
            operand && hal::IsConstant(*operand) && operand->type.precision == NNADAPTER_FLOAT32;
        if (weights && faults_.Has("cache", kind))
          std::fill_n(static_cast<float*>(operand->buffer), operand->length / sizeof(float), 0.5f);
      }
    }
    return copy.Save();
  }

  fake_sdk::Faults faults_;
};

}  // namespace

NNADAPTER_REGISTER_HAL(fake_device, "Paddle", NNADAPTER_ACCELERATOR, FaultyDevice)
