// From operations of NNAdapter to XNNPACK's: values by operand, and a table of functions.
//
// XNNPACK's pictures are [N, H, W, C], NNAdapter's [N, C, H, W]: a tensor of four dimensions is
// turned where it enters and where it leaves, and stands as XNNPACK wants it between. Others stand
// as they are.
#pragma once

#include <xnnpack.h>

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "nnadapter/hal/hal.h"

namespace xnnpack {

namespace core = nnadapter::core;
namespace hal = nnadapter::hal;
using Dims = std::vector<int32_t>;

// DeviceFailure where XNNPACK refuses `what`.
void Check(xnn_status status, const std::string& what);

// The dimensions of a tensor in XNNPACK.
Dims Turned(const Dims& dims);
// Elements of a tensor of NNAdapter's dimensions, turned and turned back.
void Turn(const float* from, const Dims& dims, float* to);
void TurnBack(const float* from, const Dims& dims, float* to);
// Whether turning leaves the elements in their order.
bool KeepsOrder(const Dims& dims);

class Lowering {
 public:
  // `constants` live as long as what is made of the graph.
  Lowering(xnn_subgraph_t graph, std::deque<std::vector<float>>* constants)
      : graph_(graph), constants_(constants) {}

  xnn_subgraph_t graph() const { return graph_; }
  // Makes an operand an input or an output of the graph, by its number among all of them.
  void Declare(const core::Operand& operand, uint32_t number, uint32_t flag);
  uint32_t operator[](const core::Operand& operand);
  // An operand with dimensions of 1 in front, as many as broadcasting to `rank` needs.
  uint32_t WithRank(const core::Operand& operand, size_t rank);
  // These are of XNNPACK's dimensions and order.
  uint32_t Temporary(const Dims& turned);
  uint32_t Constant(const Dims& turned, std::vector<float> values);

 private:
  uint32_t Define(const Dims& turned, const void* data, uint32_t number, uint32_t flag);

  xnn_subgraph_t graph_;
  std::deque<std::vector<float>>* constants_;
  std::map<const core::Operand*, uint32_t> values_;
};

// How an operation becomes XNNPACK's.
struct Converter {
  std::vector<int> tensors;  // places of the inputs that are tensors, not attributes
  void (*convert)(Lowering& lowering, const core::Operation& operation);
  // (optional) Nothing, or why it cannot.
  std::string (*refusal)(const core::Operation& operation) = nullptr;
};

// Null for an operation that this device has not.
const Converter* ConverterOf(NNAdapterOperationType type);

// Nothing, or why the device does not take an operation.
std::string Refusal(const core::Operation& operation);

}  // namespace xnnpack
