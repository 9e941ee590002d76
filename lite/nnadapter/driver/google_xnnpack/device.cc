// The device `google_xnnpack`: float models on this CPU by XNNPACK, the worked example of a HAL in
// C++ over a library that wants another layout.
#include <memory>

#include "lowering.h"

namespace xnnpack {
namespace {

struct Delete {
  void operator()(xnn_subgraph* graph) const { xnn_delete_subgraph(graph); }
  void operator()(xnn_runtime* runtime) const { xnn_delete_runtime(runtime); }
  void operator()(pthreadpool* threads) const { pthreadpool_destroy(threads); }
};
using Graph = std::unique_ptr<xnn_subgraph, Delete>;
using Runtime = std::unique_ptr<xnn_runtime, Delete>;
using Threads = std::shared_ptr<pthreadpool>;

int ThreadsOf(const hal::Properties& properties) {
  constexpr const char* kKey = "GOOGLE_XNNPACK_NUM_THREADS";
  const int count = properties.GetInt(kKey, 1);
  if (count < 0 || count > 256)
    throw hal::InvalidParameter(
        hal::Text(kKey, " is '", count, "', expected a number from 1 to 256, or 0 for all cores"));
  return count;
}

// An input or output, and where XNNPACK reads or writes it.
struct Port {
  Dims dims;
  std::vector<float> data;
};

class Program : public hal::Program {
 public:
  Program(const core::Model& model, const Threads& threads) : threads_(threads) {
    xnn_subgraph_t made = nullptr;
    const size_t count = model.input_operands.size() + model.output_operands.size();
    Check(xnn_create_subgraph(static_cast<uint32_t>(count), 0, &made), "a graph");
    const Graph graph(made);
    Lowering lowering(made, &constants_);
    Declare(&lowering, model.input_operands, XNN_VALUE_FLAG_EXTERNAL_INPUT, &inputs_);
    Declare(&lowering, model.output_operands, XNN_VALUE_FLAG_EXTERNAL_OUTPUT, &outputs_);
    for (const core::Operation& operation : model.operations) {
      const Converter* converter = ConverterOf(operation.type);
      if (converter == nullptr)
        throw hal::NotSupported(hal::Text("no ", hal::OperationName(operation.type)));
      converter->convert(lowering, operation);
    }
    xnn_runtime_t runtime = nullptr;
    Check(xnn_create_runtime_v2(made, threads_.get(), 0, &runtime), "the graph");
    runtime_.reset(runtime);
    std::vector<xnn_external_value> values;
    for (std::vector<Port>* ports : {&inputs_, &outputs_})
      for (Port& port : *ports)
        values.push_back({static_cast<uint32_t>(values.size()), port.data.data()});
    Check(xnn_setup_runtime(runtime, values.size(), values.data()), "the inputs and outputs");
  }

  void Run(const std::vector<hal::Tensor>& given, hal::Outputs& results) override {
    for (size_t i = 0; i < inputs_.size(); ++i)
      Turn(given[i].As<float>(), inputs_[i].dims, inputs_[i].data.data());
    Check(xnn_invoke_runtime(runtime_.get()), "to run");
    for (size_t i = 0; i < outputs_.size(); ++i)
      TurnBack(outputs_[i].data.data(), outputs_[i].dims,
               results.Allocate<float>(i, outputs_[i].dims));
  }

 private:
  void Declare(Lowering* lowering, const std::vector<core::Operand*>& operands, uint32_t flag,
               std::vector<Port>* ports) {
    for (const core::Operand* operand : operands) {
      lowering->Declare(*operand, count_++, flag);
      const Dims dims = hal::Dims(operand->type);
      const auto size = static_cast<size_t>(hal::ElementCount(dims)) * sizeof(float);
      ports->push_back({dims, std::vector<float>((size + XNN_EXTRA_BYTES) / sizeof(float))});
    }
  }

  Threads threads_;
  std::deque<std::vector<float>> constants_;
  uint32_t count_ = 0;
  std::vector<Port> inputs_, outputs_;
  Runtime runtime_;
};

class Device : public hal::Backend {
 public:
  explicit Device(const hal::Properties& properties) {
    Check(xnn_initialize(nullptr), "this processor");
    const int count = ThreadsOf(properties);
    if (count != 1) threads_.reset(pthreadpool_create(static_cast<size_t>(count)), Delete());
  }

  std::string Supports(const core::Operation& operation) override { return Refusal(operation); }

  std::unique_ptr<hal::Program> Build(core::Model& model) override {
    hal::FoldConstants(&model);
    hal::FuseConvBatchNorm(&model);
    hal::FuseConvAdd(&model);
    hal::UnfuseActivation(&model);  // XNNPACK fuses what it can itself
    return std::make_unique<Program>(model, threads_);
  }

 private:
  Threads threads_;
};

}  // namespace
}  // namespace xnnpack

NNADAPTER_REGISTER_HAL(google_xnnpack, "Google", NNADAPTER_CPU, xnnpack::Device)
