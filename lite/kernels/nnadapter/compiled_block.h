// CompiledBlock: what can run a subgraph's block for some shapes of its inputs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lite/core/program_desc.h"
#include "lite/kernels/nnadapter/block_shapes.h"
#include "lite/kernels/nnadapter/report.h"

namespace paddle::lite::nnadapter_bridge {

// A block and the names around it; everything belongs to the Engine.
struct BlockSource {
  const BlockDesc* block;
  // Of the subgraph operator's slots, and which positions there are data.
  const std::vector<std::string>*input_names, *output_names;
  const std::vector<size_t>*data_inputs, *data_outputs;
  // By position among the inputs; 0 where it is not quantised.
  const std::vector<float>* input_scales;
};

class CompiledBlock {
 public:
  virtual ~CompiledBlock() = default;
  // Whether it is worth trying with these inputs of the subgraph operator.
  virtual bool MayTake(const std::vector<const Tensor*>& inputs) const = 0;
  // False where other shapes are needed. Throws LiteError.
  virtual bool Run(const std::vector<const Tensor*>& inputs, const std::vector<Tensor*>& outputs,
                   int threads) = 0;
  // "intel_openvino, builtin_device"
  virtual std::string devices() const = 0;
  // By operator: positions of its operations in the model; empty without a model.
  virtual std::vector<std::vector<int>> operations() const { return {}; }
  // Nothing where there is no runtime, or it gives no report.
  virtual std::optional<RuntimeReport> runtime_report() const { return std::nullopt; }
};

// LoDs of the block's data outputs, by position, as the CPU's operators would hand them on: devices
// know no sequences. An operator whose shapes cannot be inferred hands on that of its first input
// with one.
std::vector<LoD> OutputLoDs(const BlockSource& source, const std::vector<const Tensor*>& inputs);

// What follows from the inputs' shapes, or from other `shapes` of the data inputs; of arithmetic on
// them the numbers, too.
BlockShapes ShapesIn(const BlockSource& source, const std::vector<const Tensor*>& inputs,
                     const std::vector<DDim>* shapes = nullptr);

}  // namespace paddle::lite::nnadapter_bridge
