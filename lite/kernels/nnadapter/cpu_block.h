// CpuBlock: a subgraph's block on the CPU without NNAdapter, for what no device takes.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "lite/core/runtime_program.h"
#include "lite/kernels/nnadapter/compiled_block.h"

namespace paddle::lite::nnadapter_bridge {

class CpuBlock final : public CompiledBlock {
 public:
  // Throws UnsupportedOperatorError where the CPU lacks an operator. `inputs` lend their constants.
  CpuBlock(const BlockSource& source, const std::vector<const Tensor*>& inputs);

  // Whether these shapes are among those that devices refused.
  bool MayTake(const std::vector<const Tensor*>& inputs) const override;
  // From now on it takes these shapes, too.
  void Add(const std::vector<const Tensor*>& inputs);
  bool Run(const std::vector<const Tensor*>& inputs, const std::vector<Tensor*>& outputs,
           int threads) override;
  std::string devices() const override { return "CPU"; }

 private:
  static constexpr size_t kMaxShapes = 1024;

  std::vector<TensorMeta> MetasOf(const std::vector<const Tensor*>& inputs) const;

  BlockSource source_;
  std::deque<std::vector<TensorMeta>> shapes_;  // of the data inputs
  Scope scope_;
  std::unique_ptr<RuntimeProgram> program_;
};

}  // namespace paddle::lite::nnadapter_bridge
