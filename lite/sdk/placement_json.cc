// What the runtime knows of its subgraphs, as JSON.
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
                ", \"runtime\": ", outcome.runtime_report.empty() ? "null" : outcome.runtime_report,
                "}");
}

std::string Subgraph(const BlockOpReport& report) {
  return StrCat("{\"block\": ", report.block, ", \"programs\": ", report.programs,
                ", \"compile_ms\": ", report.compile_ms, ", \"runs\": ", report.runs,
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
