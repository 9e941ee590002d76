// ProgramDesc and parameters -> Graph.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "lite/core/graph.h"
#include "lite/core/program_desc.h"

namespace paddle::lite {

// What a program is loaded with.
struct LoadSettings {
  LoadSettings() = default;
  LoadSettings(DeviceSettings devices) : devices(std::move(devices)) {}  // NOLINT: as it stands

  DeviceSettings devices;
  math::WeightPrecision precision = math::WeightPrecision::kFp32;
  bool use_stored = true;  // packed weights beside a `.nb` file
};

// "fp32" or "bf16"; throws ConfigError, which lists them, for any other name.
math::WeightPrecision PrecisionNamed(const std::string& name);

// A graph with the names that its user knows.
struct LoadedProgram {
  std::shared_ptr<Graph> graph;
  std::vector<VarDesc> inputs, outputs;  // in the order of the feed and fetch operators' col
};

// Checks a program and lowers its main block. `params` is emptied: the graph takes the tensors.
// Throws UnsupportedOperatorError listing all operators without a kernel, and ModelFormatError
// for whatever else is wrong: parameters that are missing (all at once), variables that nobody
// writes, feed and fetch columns that do not count from 0.
// DeviceError where a device is missing that `settings` name.
LoadedProgram BuildGraph(const ProgramDesc& program, ParamTable* params,
                         const LoadSettings& settings = {});

}  // namespace paddle::lite
