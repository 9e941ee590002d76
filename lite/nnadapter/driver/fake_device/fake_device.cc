// fake_device: the template of a HAL. Copy this folder, put your SDK in place of sdk.h.
#include <limits>

#include "nnadapter/hal/hal.h"
#include "sdk.h"

namespace core = nnadapter::core;
namespace hal = nnadapter::hal;

namespace {

// The layer of an operation, and how many of its first inputs are tensors.
const std::map<int, std::pair<fake_sdk::Kind, int>> kLayers = {
    {NNADAPTER_ADD, {fake_sdk::kAdd, 2}},
    {NNADAPTER_AVERAGE_POOL_2D, {fake_sdk::kAveragePool, 1}},
    {NNADAPTER_CONV_2D, {fake_sdk::kConvolution, 3}},
    {NNADAPTER_FULLY_CONNECTED, {fake_sdk::kFullyConnected, 3}},
    {NNADAPTER_RELU, {fake_sdk::kRelu, 1}},
    {NNADAPTER_RELU6, {fake_sdk::kRelu, 1}},
    {NNADAPTER_SOFTMAX, {fake_sdk::kSoftmax, 1}},
};

// The SDK's network, and how NNAdapter runs it.
class Program : public hal::Program {
 public:
  fake_sdk::Network network;

  void Run(const std::vector<hal::Tensor>& inputs, hal::Outputs& outputs) override {
    std::vector<fake_sdk::Tensor> tensors;
    for (const hal::Tensor& input : inputs) {
      const float* data = input.As<float>();
      tensors.push_back({input.dims(), {data, data + input.size()}});
    }
    const std::vector<fake_sdk::Tensor> results = fake_sdk::Run(network, tensors);
    for (size_t i = 0; i < results.size(); ++i) {
      float* to = outputs.Allocate<float>(i, results[i].dims);
      std::copy(results[i].data.begin(), results[i].data.end(), to);
    }
  }
};

class FakeDevice : public hal::Backend {
 public:
  std::string Supports(const core::Operation& operation) override {
    if (operation.type != NNADAPTER_MAT_MUL && !kLayers.count(operation.type))
      return "not among the operations of this device";
    const NNAdapterOperandType& type = hal::Output(operation).type;
    if (type.precision != NNADAPTER_FLOAT32) return "computes FLOAT32, not " + hal::Describe(type);
    if (operation.type == NNADAPTER_MAT_MUL) return hal::MatMulRefusal(operation);
    for (int i = 0; i < kLayers.at(operation.type).second; ++i)
      if (const auto& input = hal::Input(operation, i).type; input.precision != NNADAPTER_FLOAT32)
        return "computes FLOAT32, not " + hal::Describe(input);
    Convert(operation);  // these throw where they cannot
    return "";
  }

  std::unique_ptr<hal::Program> Build(core::Model& model) override {
    hal::FuseConvActivation(&model);
    hal::FuseMatMulAdd(&model);
    auto program = std::make_unique<Program>();
    fake_sdk::Network& network = program->network;
    std::map<const core::Operand*, int> ids;
    const auto id = [&](const core::Operand* operand) {
      const auto [at, is_new] = ids.emplace(operand, static_cast<int>(ids.size()));
      if (is_new && hal::IsConstant(*operand))
        network.weights[at->second] = {hal::Dims(operand->type), hal::Values<float>(*operand)};
      return at->second;
    };
    for (const core::Operation& operation : model.operations) {
      const auto& [kind, tensors] = kLayers.at(operation.type);
      fake_sdk::Layer layer{kind, Convert(operation), {}, id(&hal::Output(operation))};
      for (int i = 0; i < tensors; ++i) layer.inputs.push_back(id(&hal::Input(operation, i)));
      network.layers.push_back(layer);
    }
    for (const core::Operand* input : model.input_operands) network.inputs.push_back(id(input));
    for (const core::Operand* output : model.output_operands) network.outputs.push_back(id(output));
    return program;
  }

 private:
  static fake_sdk::Options Convert(const core::Operation& operation) {
    fake_sdk::Options options{};
    options.group = 1;
    int fuse_code = hal::FuseCodeOf(operation);
    if (operation.type == NNADAPTER_RELU) fuse_code = NNADAPTER_FUSED_RELU;
    if (operation.type == NNADAPTER_RELU6) fuse_code = NNADAPTER_FUSED_RELU6;
    if (operation.type == NNADAPTER_SOFTMAX)
      options.axis = hal::ScalarOr<int>(operation, hal::Softmax::kAxis, -1);
    if (operation.type == NNADAPTER_CONV_2D) {
      options.group = hal::Scalar<int>(operation, hal::Conv2D::kGroup);
      SetWindow(hal::ReadWindow(operation), &options);
    }
    if (operation.type == NNADAPTER_AVERAGE_POOL_2D) {
      options.ceil_mode = hal::ScalarOr(operation, hal::AveragePool2D::kCeilMode, false);
      options.count_pad = hal::ScalarOr(operation, hal::AveragePool2D::kCountIncludePad, false);
      SetWindow(hal::ReadWindow(operation), &options);
    }
    const float infinity = std::numeric_limits<float>::infinity();
    const float limits[4][2] = {{-infinity, infinity}, {0, infinity}, {-1, 1}, {0, 6}};
    if (fuse_code < 0 || fuse_code > 3) throw hal::NotSupported("unknown fuse_code");
    options.low = limits[fuse_code][0];
    options.high = limits[fuse_code][1];
    return options;
  }

  static void SetWindow(const hal::Window2D& window, fake_sdk::Options* options) {
    options->kernel_h = window.kernel_h, options->kernel_w = window.kernel_w;
    options->stride_h = window.stride_h, options->stride_w = window.stride_w;
    options->dilation_h = window.dilation_h, options->dilation_w = window.dilation_w;
    options->pad_top = window.pad_top, options->pad_bottom = window.pad_bottom;
    options->pad_left = window.pad_left, options->pad_right = window.pad_right;
  }
};

}  // namespace

NNADAPTER_REGISTER_HAL(fake_device, "Paddle", NNADAPTER_ACCELERATOR, FakeDevice)
