// The device `verisilicon_timvx`: quantised models on VeriSilicon's NPUs (Amlogic A311D and S905D3,
// i.MX8M Plus and their like), by TIM-VX.
//
// What is compiled is a binary for one chip, which caches hold. On x86-64 the SDK's simulator runs
// it; its environment variable VSIMULATOR_CONFIG names the chip there.
#include <cstdlib>
#include <cstring>

#include "lowering.h"
#include "tim/vx/ops/nbg.h"

namespace timvx {
namespace {

using tim::vx::DataType;
using tim::vx::TensorAttribute;

struct Specs {
  std::vector<Port> inputs, outputs;
};

std::shared_ptr<tim::vx::Context> NewContext() {
  std::shared_ptr<tim::vx::Context> context = tim::vx::Context::Create();
  if (context == nullptr) throw hal::DeviceFailure("VeriSilicon's driver gives no context");
  return context;
}

// The chip that the simulator is; a board says none.
std::string ChipOfSimulator() {
  const char* chip = std::getenv("VSIMULATOR_CONFIG");
  return chip != nullptr ? chip : "";
}

// A compiled binary.
class Program : public hal::Program {
 public:
  Program(std::vector<char> binary, Specs specs)
      : binary_(std::move(binary)), specs_(std::move(specs)), context_(NewContext()) {
    graph_ = context_->CreateGraph();
    if (graph_ == nullptr) throw hal::DeviceFailure("VeriSilicon's driver gives no graph");
    for (const Port& port : specs_.inputs) inputs_.push_back(graph_->CreateTensor(port.spec));
    for (const Port& port : specs_.outputs) outputs_.push_back(graph_->CreateTensor(port.spec));
    graph_->CreateOperation<tim::vx::ops::NBG>(binary_.data(), inputs_.size(), outputs_.size())
        ->BindInputs(inputs_)
        .BindOutputs(outputs_);
    if (!graph_->Compile()) throw hal::DeviceFailure("the NPU does not take the compiled binary");
  }
  // A graph that outlives its context ends the process.
  ~Program() override {
    inputs_.clear();
    outputs_.clear();
    graph_.reset();
    context_.reset();
  }

  void Run(const std::vector<hal::Tensor>& given, hal::Outputs& results) override {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const auto bytes = static_cast<size_t>(specs_.inputs[i].spec.GetByteSize());
      const void* data = given[i].data;
      if (specs_.inputs[i].shifted) {
        scratch_.resize(bytes);
        hal::SymmToAsymm(given[i].As<int8_t>(), bytes, ZeroPointOf(specs_.inputs[i]),
                         scratch_.data());
        data = scratch_.data();
      }
      if (!inputs_[i]->CopyDataToTensor(data, static_cast<uint32_t>(bytes)))
        throw hal::DeviceFailure(hal::Text("the NPU does not take input ", i));
    }
    if (!graph_->Run()) throw hal::DeviceFailure("the NPU does not run");
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const auto bytes = static_cast<size_t>(specs_.outputs[i].spec.GetByteSize());
      void* to = results.Allocate(i, hal::Dims(results.type(i)));
      scratch_.resize(bytes);
      const bool shifted = specs_.outputs[i].shifted;
      if (!outputs_[i]->CopyDataFromTensor(shifted ? scratch_.data() : to))
        throw hal::DeviceFailure(hal::Text("the NPU gives no output ", i));
      if (shifted)
        hal::AsymmToSymm(scratch_.data(), bytes, ZeroPointOf(specs_.outputs[i]),
                         static_cast<int8_t*>(to));
    }
  }

  std::vector<uint8_t> Save() override {
    hal::Writer writer;
    writer.PutText(ChipOfSimulator());
    for (const std::vector<Port>* ports : {&specs_.inputs, &specs_.outputs}) {
      writer.Put(static_cast<uint64_t>(ports->size()));
      for (const Port& port : *ports) {
        writer.Put(static_cast<int32_t>(port.spec.datatype_));
        writer.PutArray(port.spec.shape_);
        writer.PutArray(port.spec.quantization_.Scales());
        writer.PutArray(port.spec.quantization_.ZeroPoints());
        writer.Put(static_cast<uint8_t>(port.shifted));
      }
    }
    writer.PutArray(binary_);
    return writer.Take();
  }

  static std::unique_ptr<Program> Restored(const std::vector<uint8_t>& bytes) {
    hal::Reader reader(bytes);
    const std::string made_for = reader.GetText(), here = ChipOfSimulator();
    if (!here.empty() && made_for != here)
      throw hal::InvalidParameter(hal::Text("compiled for ", made_for, ", this is ", here));
    Specs specs;
    specs.inputs = ReadPorts(&reader, TensorAttribute::INPUT);
    specs.outputs = ReadPorts(&reader, TensorAttribute::OUTPUT);
    return std::make_unique<Program>(reader.GetArray<char>(), std::move(specs));
  }

 private:
  static int32_t ZeroPointOf(const Port& port) { return port.spec.quantization_.ZeroPoints()[0]; }

  static std::vector<Port> ReadPorts(hal::Reader* reader, TensorAttribute attribute) {
    std::vector<Port> ports;
    for (uint64_t left = reader->Get<uint64_t>(); left > 0; --left) {
      Port port;
      port.spec.datatype_ = static_cast<DataType>(reader->Get<int32_t>());
      port.spec.shape_ = reader->GetArray<uint32_t>();
      port.spec.attr_ = attribute;
      const auto scales = reader->GetArray<float>();
      const auto zeros = reader->GetArray<int32_t>();
      port.shifted = reader->Get<uint8_t>() != 0;
      if (scales.size() > 1 || scales.size() != zeros.size() || (port.shifted && zeros.empty()))
        throw hal::InvalidParameter("a tensor of the saved program has no scale");
      if (!scales.empty())
        port.spec.quantization_ = {tim::vx::QuantType::ASYMMETRIC, scales[0], zeros[0]};
      ports.push_back(std::move(port));
    }
    return ports;
  }

  std::vector<char> binary_;
  Specs specs_;
  std::shared_ptr<tim::vx::Context> context_;
  std::shared_ptr<tim::vx::Graph> graph_;
  std::vector<TensorPtr> inputs_, outputs_;
  std::vector<uint8_t> scratch_;
};

std::vector<Port> Ports(const std::vector<core::Operand*>& operands,
                        const std::vector<bool>& symmetric, TensorAttribute attribute) {
  std::vector<Port> ports;
  for (size_t i = 0; i < operands.size(); ++i)
    ports.push_back({SpecOf(operands[i]->type, attribute), symmetric[i]});
  return ports;
}

std::vector<bool> Symmetric(const std::vector<core::Operand*>& operands) {
  std::vector<bool> found;
  for (const core::Operand* operand : operands)
    found.push_back(operand->type.precision == NNADAPTER_QUANT_INT8_SYMM_PER_LAYER);
  return found;
}

class Device : public hal::Backend {
 public:
  std::string Supports(const core::Operation& operation) override { return Refusal(operation); }

  std::unique_ptr<hal::Program> Build(core::Model& model) override {
    const std::vector<bool> inputs = Symmetric(model.input_operands);
    const std::vector<bool> outputs = Symmetric(model.output_operands);
    hal::FoldConstants(&model);
    hal::UnfuseActivation(&model);
    hal::ConvertSymmToAsymm(&model);
    Specs specs{Ports(model.input_operands, inputs, TensorAttribute::INPUT),
                Ports(model.output_operands, outputs, TensorAttribute::OUTPUT)};
    return std::make_unique<Program>(Compile(model), std::move(specs));
  }

  std::unique_ptr<hal::Program> Load(const std::vector<uint8_t>& bytes) override {
    return Program::Restored(bytes);
  }

 private:
  static std::vector<char> Compile(const core::Model& model) {
    const std::shared_ptr<tim::vx::Context> context = NewContext();
    std::shared_ptr<tim::vx::Graph> graph = context->CreateGraph();
    std::vector<char> binary;
    {
      Lowering lowering(graph.get());
      for (const core::Operand* operand : model.input_operands)
        lowering.Declare(*operand, TensorAttribute::INPUT);
      for (const core::Operand* operand : model.output_operands)
        lowering.Declare(*operand, TensorAttribute::OUTPUT);
      for (const core::Operation& operation : model.operations) {
        const Converter* converter = ConverterOf(operation.type);
        if (converter == nullptr)
          throw hal::NotSupported(hal::Text("no ", nnadapter::hal::OperationName(operation.type)));
        converter->convert(lowering, operation);
      }
      size_t size = 0;
      if (!graph->CompileToBinary(nullptr, &size) || size == 0)
        throw hal::DeviceFailure("TIM-VX does not compile the model");
      binary.resize(size);
      if (!graph->CompileToBinary(binary.data(), &size))
        throw hal::DeviceFailure("TIM-VX does not give the compiled model");
    }
    graph.reset();
    return binary;
  }
};

}  // namespace
}  // namespace timvx

NNADAPTER_REGISTER_HAL(verisilicon_timvx, "VeriSilicon", NNADAPTER_ACCELERATOR, timvx::Device)
