// What the runtime knows of its subgraphs, as JSON.
#include <optional>
#include <string>

#include "lite/nnadapter/runtime/json.h"
#include "lite/sdk/predictor.h"

namespace paddle::lite::sdk {
namespace {

using nnadapter::runtime::Quoted;

template <typename Items, typename Write>
std::string List(const Items& items, Write&& write) {
  std::string text = "[";
  for (const auto& item : items) text += (text.size() > 1 ? ", " : "") + write(item);
  return text + "]";
}

std::string Names(const std::vector<std::string>& names) { return List(names, Quoted); }

std::string Program(const DeviceProgram& program) {
  const auto number = [](int operation) { return std::to_string(operation); };
  return StrCat("{\"device\": ", Quoted(program.device), ", \"create_ms\": ", program.create_ms,
                ", \"operations\": ", List(program.operations, number), "}");
}

// As NNAdapter's own report has it.
std::string Runtime(const std::optional<RuntimeReport>& report) {
  if (!report) return "null";
  const bool from_cache = report->cache == RuntimeReport::Cache::kUsed;
  return StrCat("{\"from_cache\": ", from_cache ? "true" : "false",
                ", \"cache\": ", Quoted(report->cache_text),
                ", \"programs\": ", List(report->programs, Program), "}");
}

// The devices that took it, and those that were tried before and why they did not.
std::string Outcome(const CompileOutcome& outcome) {
  std::vector<std::string> devices;
  std::vector<CompileAttempt> failed;
  for (const CompileAttempt& attempt : outcome.attempts) {
    if (attempt.error.empty())
      devices = attempt.devices;
    else
      failed.push_back(attempt);
  }
  const std::string failures = List(failed, [](const CompileAttempt& attempt) {
    return StrCat("{\"devices\": ", Names(attempt.devices), ", \"error\": ", Quoted(attempt.error),
                  "}");
  });
  return StrCat("{\"devices\": ", Names(devices), ", \"compilations\": ", outcome.compilations,
                ", \"runs\": ", outcome.runs, ", \"failed\": ", failures,
                ", \"runtime\": ", Runtime(outcome.runtime), "}");
}

std::string Subgraph(const SubgraphReport& report) {
  return StrCat("{\"block\": ", report.block, ", \"programs\": ", report.programs,
                ", \"compile_ms\": ", report.compile_ms, ", \"runs\": ", report.runs,
                ", \"padded_runs\": ", report.padded_runs, ", \"padding\": ", report.padding,
                ", \"run_ms\": ", report.run_ms, ", \"bytes_in\": ", report.input_bytes,
                ", \"bytes_out\": ", report.output_bytes,
                ", \"outcomes\": ", List(report.outcomes, Outcome), "}");
}

}  // namespace

std::string PlacementAsJson(const LightPredictor& predictor, const std::string& placement) {
  return StrCat("{\"subgraphs\": ", List(predictor.DeviceReports(), Subgraph),
                ", \"placement\": ", placement.empty() ? "null" : placement, "}\n");
}

}  // namespace paddle::lite::sdk
