// The support check: which operators of a block can go to the devices, and why not the others.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "lite/core/program_desc.h"
#include "lite/kernels/nnadapter/device_settings.h"

namespace paddle::lite::nnadapter_bridge {

struct SupportQuery {
  const ProgramDesc* program;
  int block = 0;
  // Shapes and types, by name; data is not read where a tensor has none.
  const std::map<std::string, Tensor>* params;
  // Complete shapes of fed variables; what is not named has the shape that the program declares,
  // with -1 as unknown.
  std::map<std::string, std::vector<int64_t>> input_shapes;
  // Types of operators that may be arithmetic on shapes.
  std::set<std::string> counted;
  // Positions of operators in the block.
  std::vector<std::vector<int>> clusters;
  // Converts only: the devices are not asked.
  bool declaration_only = false;
  std::map<std::string, int> op_versions;
};

// For each operator of the clusters that cannot go to any of the devices, the reason in a plain
// sentence. Throws DeviceError where a device is missing (unless declaration_only).
std::map<int, std::string> CheckSupport(const SupportQuery& query, const DeviceSettings& settings);

}  // namespace paddle::lite::nnadapter_bridge
