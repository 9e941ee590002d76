// NNAdapterCompilation_describe: an account of a compilation for placement reports. Not part of the
// C API of nnadapter.h: who uses it looks it up and does without where it is missing.
#include <string>

#include "lite/nnadapter/runtime/api_objects.h"
#include "lite/nnadapter/runtime/compilation.h"
#include "lite/nnadapter/runtime/json.h"

namespace nnadapter::runtime {
namespace {

// {"cache_hit": bool, "cache": text, "parts": [{"device", "create_ms", "operations": [number]}]}
std::string Describe(const Compilation& compilation) {
  std::string parts;
  for (const auto& program : compilation.plan().programs) {
    std::string operations;
    for (const size_t operation : program->operations)
      operations += (operations.empty() ? "" : ", ") + std::to_string(operation);
    parts += (parts.empty() ? "{" : ", {") + std::string("\"device\": ") +
             Quoted(program->device->name()) +
             ", \"create_ms\": " + std::to_string(program->create_ms) + ", \"operations\": [" +
             operations + "]}";
  }
  return std::string("{\"cache_hit\": ") + (compilation.from_cache() ? "true" : "false") +
         ", \"cache\": " + Quoted(compilation.cache_text()) + ", \"parts\": [" + parts + "]}";
}

}  // namespace
}  // namespace nnadapter::runtime

// JSON, valid until the calling thread's next call; empty where the compilation is not finished.
extern "C" __attribute__((visibility("default"))) const char* NNAdapterCompilation_describe(
    const NNAdapterCompilation* compilation) {
  using namespace nnadapter::runtime;  // NOLINT: one function
  thread_local std::string text;
  text.clear();
  Barrier(__func__, [&] {
    const auto object = Compilations().Get(const_cast<NNAdapterCompilation*>(compilation));
    if (object->finished()) text = Describe(*object);
  });
  return text.c_str();
}
