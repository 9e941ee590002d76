// Which variables of the blocks around it a block reads and writes.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "lite/core/program_desc.h"

namespace paddle::lite {

struct BlockVariables {
  // Read, by itself or a block inside it, before it has written them for sure; each name once.
  std::vector<std::string> reads;
  // Written, and not declared in the block itself or listed by the operator that runs it.
  std::vector<std::string> writes;
};

// The block that an operator runs; throws ModelFormatError where its sub_block is none.
int SubBlockOf(const OpDesc& op, const ProgramDesc& program);

// Of the block that `op` runs.
BlockVariables VariablesOf(const OpDesc& op, const ProgramDesc& program);

// Names of variables that are lists of tensors (LOD_TENSOR_ARRAY).
std::set<std::string> ListVariables(const ProgramDesc& program);

}  // namespace paddle::lite
