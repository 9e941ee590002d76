// NNAdapterCompilation_getReport: what became of a compilation, as JSON.
#include "lite/nnadapter/runtime/api_objects.h"
#include "lite/nnadapter/runtime/compilation.h"
#include "lite/nnadapter/runtime/json.h"
#include "nnadapter/extensions.h"

namespace nnadapter::runtime {
namespace {

template <typename Number>
std::string List(const std::vector<Number>& numbers) {
  std::string text;
  for (const Number number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "[" + text + "]";
}

}  // namespace

std::string DescribePlan(const Plan& plan, bool from_cache, const std::string& cache_text) {
  std::string programs;
  for (const auto& program : plan.programs) {
    programs += Text(programs.empty() ? "" : ", ", "{\"device\": ", Quoted(program->device->name()),
                     ", \"create_ms\": ", program->create_ms,
                     ", \"operations\": ", List(program->operations),
                     ", \"inputs\": ", List(program->input_indexes),
                     ", \"outputs\": ", List(program->output_indexes), "}");
  }
  return Text("{\"from_cache\": ", from_cache ? "true" : "false",
              ", \"cache\": ", Quoted(cache_text), ", \"programs\": [", programs, "]}");
}

}  // namespace nnadapter::runtime

int NNAdapterCompilation_getReport(NNAdapterCompilation* compilation, const char** json) {
  using namespace nnadapter::runtime;  // NOLINT: the C face of that namespace
  return Barrier(__func__, [&] {
    const auto object = Compilations().Get(compilation);
    if (!json) FailParameter("json is null");
    if (!object->finished()) FailParameter("the compilation is not finished");
    *json = object->report().c_str();
  });
}
