// CpuBlock: a subgraph's block on the CPU without NNAdapter, for what no device takes.
#pragma once

#include <memory>

#include "lite/core/runtime_program.h"
#include "lite/kernels/nnadapter/compiled_block.h"

namespace paddle::lite::nnadapter_bridge {

class CpuBlock final : public CompiledBlock {
 public:
  // Throws UnsupportedOperatorError where the CPU lacks an operator. `inputs` lend their constants.
  CpuBlock(const BlockSource& source, const std::vector<const Tensor*>& inputs);

  bool MayTake(const std::vector<const Tensor*>&) const override { return true; }
  bool Run(const std::vector<const Tensor*>& inputs, const std::vector<Tensor*>& outputs,
           int threads) override;
  std::string devices() const override { return "CPU"; }

 private:
  BlockSource source_;
  Scope scope_;
  std::unique_ptr<RuntimeProgram> program_;
};

}  // namespace paddle::lite::nnadapter_bridge
