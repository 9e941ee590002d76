// Body: the block that a control-flow operator runs, on variables of the blocks around it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lite/core/block_op.h"
#include "lite/core/fork_safe_mutex.h"
#include "lite/core/runtime_program.h"

namespace paddle::lite {

class Body {
 public:
  // `slot`: the input slot that holds the variables.
  Body(const BlockOpSource& source, const char* slot);

  // Runs the block on the variables that it reads. `results`, by output, get memory of their own;
  // memory that they have is used again.
  void Run(const std::vector<const Tensor*>& variables, std::vector<Tensor>* results, int threads);

  const std::vector<std::string>& outputs() const { return outputs_; }
  // The position among the inputs of the variable that an output writes; -1: it is not read.
  int InputOf(size_t output) const { return input_of_[output]; }
  // What an output holds where the block did not run: what it held before, or nothing.
  void PassThrough(const std::vector<const Tensor*>& variables,
                   const std::vector<Tensor*>& results) const;
  void ForEach(const std::function<void(const BlockOp&)>& visit) const;

 private:
  std::vector<std::string> outputs_;
  std::vector<int> input_of_;
  Scope scope_;
  RuntimeProgram program_;
};

// The one truth value in a condition; throws where there is not exactly one.
bool Decision(const Tensor& condition);

}  // namespace paddle::lite
