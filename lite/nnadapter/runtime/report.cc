// Devices, contexts and compilations as JSON.
#include "lite/nnadapter/runtime/api_objects.h"
#include "lite/nnadapter/runtime/compilation.h"
#include "lite/nnadapter/runtime/device_manager.h"
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

int NNAdapter_listDevices(const char** json) {
  using namespace nnadapter::runtime;  // NOLINT: the C face of that namespace
  return Barrier(__func__, [&] {
    if (!json) FailParameter("json is null");
    thread_local std::string text;
    text = "[";
    for (const DeviceInfo& device : ListDevices()) {
      text += Text(text.size() > 1 ? ", " : "", "{\"name\": ", Quoted(device.name),
                   ", \"library\": ", Quoted(device.library),
                   ", \"hidden\": ", device.hidden ? "true" : "false", "}");
    }
    text += "]";
    *json = text.c_str();
  });
}

int NNAdapterContext_getReport(NNAdapterContext* context, const char** json) {
  using namespace nnadapter::runtime;  // NOLINT: the C face of that namespace
  return Barrier(__func__, [&] {
    const auto object = Contexts().Get(context);
    if (!json) FailParameter("json is null");
    thread_local std::string text;
    text = "[";
    for (const auto& one : object->devices()) {
      const Device& device = one->device();
      text += Text(text.size() > 1 ? ", " : "", "{\"name\": ", Quoted(device.name()),
                   ", \"vendor\": ", Quoted(device.vendor()), ", \"type\": ", int{device.type()},
                   ", \"version\": ", device.version(), ", \"library\": ", Quoted(device.library()),
                   ", \"abi\": ", Quoted(LibraryAbiName(device.abi())),
                   ", \"asks\": ", device.driver().validate_program ? "true" : "false",
                   ", \"list\": ", Quoted(one->Judge()), "}");
    }
    text += "]";
    *json = text.c_str();
  });
}

int NNAdapterCompilation_getReport(NNAdapterCompilation* compilation, const char** json) {
  using namespace nnadapter::runtime;  // NOLINT: the C face of that namespace
  return Barrier(__func__, [&] {
    const auto object = Compilations().Get(compilation);
    if (!json) FailParameter("json is null");
    if (!object->finished()) FailParameter("the compilation is not finished");
    *json = object->report().c_str();
  });
}
