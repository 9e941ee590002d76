// From operations of NNAdapter to those of TIM-VX: names of tensors, and a table of functions.
//
// TIM-VX counts dimensions from the innermost: [N, C, H, W] is {W, H, C, N}, of the same elements.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "nnadapter/hal/hal.h"
#include "tim/vx/context.h"
#include "tim/vx/graph.h"
#include "tim/vx/operation.h"
#include "tim/vx/tensor.h"

namespace timvx {

namespace core = nnadapter::core;
namespace hal = nnadapter::hal;
using TensorPtr = std::shared_ptr<tim::vx::Tensor>;

// What a tensor of the NPU is for a caller.
struct Port {
  tim::vx::TensorSpec spec;
  bool shifted = false;  // the caller's elements are int8 around 0, the NPU's uint8 around 128
};

// NotSupported for what the NPU has not.
tim::vx::TensorSpec SpecOf(const NNAdapterOperandType& type, tim::vx::TensorAttribute attribute);
tim::vx::ShapeType Reversed(const std::vector<int32_t>& dims);

class Lowering {
 public:
  explicit Lowering(tim::vx::Graph* graph) : graph_(graph) {}

  // Makes an operand an input or an output of the graph.
  void Declare(const core::Operand& operand, tim::vx::TensorAttribute attribute);
  TensorPtr operator[](const core::Operand& operand);
  // A constant in another shape, its channels along another axis (from the innermost); `data`:
  // its elements in another order.
  TensorPtr Constant(const core::Operand& operand, const tim::vx::ShapeType& shape, int channels,
                     const void* data = nullptr);
  // What is computed in two dimensions for an operand: rows of `columns` elements.
  TensorPtr RowsFor(const core::Operand& operand, uint32_t columns);
  // Makes of these the operand, where it has other dimensions.
  void Keep(const core::Operand& operand, const TensorPtr& rows);
  // int32 of a bias, all 0.
  TensorPtr Zeros(uint32_t count, const std::vector<float>& scales);
  // An operand with dimensions of 1 in front, as many as broadcasting needs.
  TensorPtr WithRank(const core::Operand& operand, size_t rank);
  // An operand in two dimensions: rows of `columns` elements.
  TensorPtr Rows(const core::Operand& operand, uint32_t columns);

  template <typename Operation, typename... Arguments>
  void Add(const std::vector<TensorPtr>& inputs, const std::vector<TensorPtr>& outputs,
           Arguments... arguments) {
    graph_->CreateOperation<Operation>(arguments...)->BindInputs(inputs).BindOutputs(outputs);
  }

 private:
  TensorPtr Reshaped(const core::Operand& operand, const tim::vx::ShapeType& shape);

  tim::vx::Graph* graph_;
  std::map<const core::Operand*, TensorPtr> tensors_;
};

// How an operation becomes TIM-VX's.
struct Converter {
  std::vector<int> tensors;  // places of the inputs that are tensors, not attributes; -1: all
  void (*convert)(Lowering& lowering, const core::Operation& operation);
  // (optional) Nothing, or why it cannot.
  std::string (*refusal)(const core::Operation& operation) = nullptr;
};

// Null for an operation that this device has not.
const Converter* ConverterOf(NNAdapterOperationType type);

// Nothing, or why the device does not take an operation.
std::string Refusal(const core::Operation& operation);

}  // namespace timvx
