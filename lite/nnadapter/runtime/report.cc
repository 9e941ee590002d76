// Devices, contexts and compilations as records and JSON.
#include "lite/nnadapter/runtime/compilation.h"
#include "lite/nnadapter/runtime/device_manager.h"
#include "lite/nnadapter/runtime/handles.h"
#include "lite/nnadapter/runtime/json.h"
#include "nnadapter/extensions.h"

namespace nnadapter::runtime {
namespace {

std::string List(const int32_t* numbers, uint32_t count) {
  std::string text;
  for (uint32_t i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + std::to_string(numbers[i]);
  return "[" + text + "]";
}

std::string Json(const NNAdapterCompilationRecord& record) {
  std::string programs;
  for (uint32_t i = 0; i < record.program_count; ++i) {
    const NNAdapterProgramRecord& program = record.programs[i];
    programs += Text(i == 0 ? "" : ", ", "{\"device\": ", Quoted(program.device),
                     ", \"create_ms\": ", program.create_ms,
                     ", \"operations\": ", List(program.operations, program.operation_count),
                     ", \"inputs\": ", List(program.inputs, program.input_count),
                     ", \"outputs\": ", List(program.outputs, program.output_count), "}");
  }
  return Text("{\"from_cache\": ", record.cache == NNADAPTER_CACHE_USED ? "true" : "false",
              ", \"cache\": ", Quoted(record.cache_text), ", \"programs\": [", programs, "]}");
}

}  // namespace

CompilationReport::CompilationReport(const Plan& plan, NNAdapterCacheState cache,
                                     std::string cache_text)
    : cache_text_(std::move(cache_text)) {
  for (const auto& program : plan.programs) {
    NNAdapterProgramRecord record{};
    record.device = devices_.emplace_back(program->device->name()).c_str();
    record.create_ms = program->create_ms;
    record.operation_count = static_cast<uint32_t>(program->operations.size());
    record.operations = Keep({program->operations.begin(), program->operations.end()});
    record.input_count = static_cast<uint32_t>(program->input_indexes.size());
    record.inputs = Keep(program->input_indexes);
    record.output_count = static_cast<uint32_t>(program->output_indexes.size());
    record.outputs = Keep(program->output_indexes);
    programs_.push_back(record);
  }
  record_.cache = cache;
  record_.cache_text = cache_text_.c_str();
  record_.program_count = static_cast<uint32_t>(programs_.size());
  record_.programs = programs_.data();
  json_ = Json(record_);
}

const int32_t* CompilationReport::Keep(std::vector<int32_t> numbers) {
  return numbers_.emplace_back(std::move(numbers)).data();
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
    *json = object->report().json().c_str();
  });
}

int NNAdapterCompilation_getRecord(NNAdapterCompilation* compilation,
                                   const NNAdapterCompilationRecord** record) {
  using namespace nnadapter::runtime;  // NOLINT: the C face of that namespace
  return Barrier(__func__, [&] {
    const auto object = Compilations().Get(compilation);
    if (!record) FailParameter("record is null");
    if (!object->finished()) FailParameter("the compilation is not finished");
    *record = &object->report().record();
  });
}
