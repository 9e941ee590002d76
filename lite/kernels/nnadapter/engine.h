// Engine: runs the block of one `subgraph` operator through NNAdapter, a program for each set of
// input shapes.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "lite/core/block_op.h"
#include "lite/core/fork_safe_mutex.h"
#include "lite/kernels/nnadapter/compiled_block.h"
#include "lite/kernels/nnadapter/cpu_block.h"
#include "lite/kernels/nnadapter/device_session.h"
#include "lite/kernels/nnadapter/padding.h"
#include "lite/kernels/nnadapter/report.h"

namespace paddle::lite::nnadapter_bridge {

class Engine final : public BlockOp {
 public:
  // Throws ModelFormatError where the operator and its block do not fit.
  explicit Engine(const BlockOpSource& source);

  // Compiles for shapes that are new. Where no device takes the block the CPU does, unless the
  // settings are strict. Throws DeviceError where all fail, or one fails while running; the engine
  // stays usable.
  void Run(const std::vector<std::vector<const Tensor*>>& inputs,
           const std::vector<std::vector<Tensor*>>& outputs, int threads) override;
  bool Writes(const std::string& output) const override;
  SubgraphReport Report() const;

 private:
  struct Program {
    std::shared_ptr<CompiledBlock> block;
    std::shared_ptr<CompileOutcome> outcome;
    bool ran = false;
  };

  // Of shapes as they are.
  void RunShapes(const std::vector<const Tensor*>& inputs, const std::vector<Tensor*>& outputs,
                 int threads);
  // With the settings' candidate shapes, or for the inputs' shapes alone.
  Program Compile(const std::vector<const Tensor*>& inputs, bool candidates);
  // The same for some devices: for the inputs' shapes where the devices refuse the candidates.
  std::shared_ptr<CompiledBlock> CompileFor(const std::vector<std::string>& devices,
                                            const std::vector<const Tensor*>& inputs,
                                            bool candidates);
  // False where nothing that is compiled takes the inputs, or refuses them: then not `candidates`.
  bool RunCompiled(const std::vector<const Tensor*>& inputs, const std::vector<Tensor*>& outputs,
                   int threads, bool* candidates);
  // False where the program does not take the inputs; counts a run that succeeded.
  bool TryRun(Program* program, const std::vector<const Tensor*>& inputs,
              const std::vector<Tensor*>& outputs, int threads);
  // Counts a compilation with those that ended alike, and gives what counts them.
  std::shared_ptr<CompileOutcome> Count(CompileOutcome outcome);
  // Makes it the latest used.
  void Touch(const std::shared_ptr<CompileOutcome>& outcome);

  // Devices' programs and outcomes that are kept, the latest used first.
  static constexpr size_t kMaxPrograms = 16;
  static constexpr size_t kMaxOutcomes = 16;

  std::shared_ptr<DeviceSession> session_;
  BlockDesc block_;
  const int block_index_;
  std::vector<std::string> input_names_, output_names_;  // in the slots' order
  std::vector<size_t> data_inputs_, data_outputs_;       // positions in the slots
  // input scale of a slot's position; 0 where it is not quantised
  std::vector<float> input_scales_;
  const BlockSource source_ = {&block_,       &input_names_,  &output_names_,
                               &data_inputs_, &data_outputs_, &input_scales_};

  mutable ForkSafeMutex mutex_;
  Padding padding_;
  std::list<Program> programs_;    // of devices
  std::shared_ptr<CpuBlock> cpu_;  // for all shapes that no device takes
  Program on_cpu_;
  std::list<std::shared_ptr<CompileOutcome>> outcomes_;
  bool exact_ = false;     // a device takes each shape, and not all candidates in one program
  SubgraphReport report_;  // without the outcomes
};

}  // namespace paddle::lite::nnadapter_bridge
