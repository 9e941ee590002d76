// ProgramDesc and parameters -> Graph.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lite/core/graph.h"
#include "lite/core/program_desc.h"

namespace paddle::lite {

// What a graph is built with.
struct BuildSettings {
  SessionMaker make_session;
  math::WeightPrecision precision = math::WeightPrecision::kFp32;
  // Variables of the main block that are outputs, too, after the program's own.
  std::vector<std::string> kept = {};
};

// "fp32", "bf16", "fp16" or "exact"; throws ConfigError, which lists them, for any other name.
math::WeightPrecision PrecisionNamed(const std::string& name);

// A graph with the names that its user knows.
struct LoadedProgram {
  std::shared_ptr<Graph> graph;
  std::vector<VarDesc> inputs, outputs;  // in the order of the feed and fetch operators' col
};

// Checks a program and lowers its main block. `params` is emptied: the graph takes the tensors.
// Throws UnsupportedOperatorError listing all operators without a kernel, and ModelFormatError
// for whatever else is wrong: parameters that are missing (all at once), variables that nobody
// writes, feed and fetch columns that do not count from 0; ConfigError for `settings.kept` that the
// main block has not.
// `settings.make_session` is for operators that want one; what it throws is passed on.
LoadedProgram BuildGraph(const ProgramDesc& program, ParamTable* params,
                         const BuildSettings& settings = {});

}  // namespace paddle::lite
