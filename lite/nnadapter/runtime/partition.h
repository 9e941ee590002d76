// Which device runs which operations, in which order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nnadapter/core/types.h"

namespace nnadapter::runtime {

// Where a program takes an input from or puts an output:
//   -1 - i       input, or output, number i of the model
//   i            tensor number i that passes between programs
//   kShared + i  (inputs only) output number i of the model, which another program also reads
constexpr int32_t kShared = 1 << 30;

struct Cluster {
  int device = 0;
  std::vector<size_t> operations;  // numbers in the model's order, ascending
  std::vector<core::Operand*> inputs, outputs;
  std::vector<int32_t> input_indexes, output_indexes;
};

// Groups operations of a finished model by the device that was chosen for each, so that the groups
// can run one after the other. Groups grow along edges as long as that is so, in the operations'
// order; the result depends on nothing else. Clusters stand in the order in which they run.
std::vector<Cluster> Partition(const core::Model& model, const std::vector<int>& devices);

}  // namespace nnadapter::runtime
