// NNAdapter devices: settings, the support check and reports.
#include "lite/api/light_predictor.h"
#include "lite/api/python/module.h"
#include "lite/kernels/nnadapter/device_session.h"
#include "lite/kernels/nnadapter/support.h"

namespace paddle::lite::python {
namespace {

namespace bridge = nnadapter_bridge;
using Unlocked = py::call_guard<GilReleased>;

py::dict CheckSupport(const py::object& program, const py::dict& arrays, int block,
                      const std::vector<std::vector<int>>& clusters, const py::dict& settings,
                      const std::map<std::string, std::vector<int64_t>>& input_shapes,
                      bool declaration_only, const std::map<std::string, int>& op_versions) {
  const ProgramDesc desc = ToProgramDesc(program);
  const ParamTable params = ToParams(arrays);
  const DeviceSettings devices = ToDeviceSettings(settings);
  bridge::SupportQuery query;
  query.program = &desc;
  query.block = block;
  query.params = &params;
  query.input_shapes = input_shapes;
  query.clusters = clusters;
  query.declaration_only = declaration_only;
  query.op_versions = op_versions;
  std::map<int, std::string> reasons;
  {
    const GilReleased released;
    reasons = bridge::CheckSupport(query, devices);
  }
  py::dict result;
  for (const auto& [index, reason] : reasons) result[py::int_(index)] = FromText(reason);
  return result;
}

}  // namespace

DeviceSettings ToDeviceSettings(const py::dict& given) {
  DeviceSettings settings;
  for (const auto& [key, value] : given) {
    const auto name = py::cast<std::string>(key);
    if (name == "device_names")
      settings.device_names = py::cast<std::vector<std::string>>(value);
    else if (name == "context_properties")
      settings.context_properties = py::cast<std::string>(value);
    else if (name == "model_cache_dir")
      settings.model_cache_dir = py::cast<std::string>(value);
    else if (name == "model_cache_buffers")
      settings.model_cache_buffers = py::cast<std::map<std::string, std::string>>(value);
    else if (name == "dynamic_shape_info")
      settings.dynamic_shape_info =
          py::cast<std::map<std::string, std::vector<std::vector<int64_t>>>>(value);
    else if (name == "strict")
      settings.strict = py::cast<bool>(value);
    else if (name == "threads")
      settings.threads = py::cast<int>(value);
    else
      throw ConfigError(StrCat("there is no device setting '", name, "'"));
  }
  return settings;
}

LoadSettings ToLoadSettings(const py::dict& given) {
  const py::dict devices(given.attr("copy")());
  const py::object precision = devices.attr("pop")("precision", "fp32");
  const py::object use_stored = devices.attr("pop")("use_stored", true);
  LoadSettings settings(ToDeviceSettings(devices));
  settings.use_stored = py::cast<bool>(use_stored);
  settings.precision = PrecisionNamed(py::cast<std::string>(precision));
  return settings;
}

namespace {

py::dict ToDict(const CompileOutcome& outcome) {
  py::list attempts;
  for (const CompileAttempt& attempt : outcome.attempts)
    attempts.append(py::make_tuple(attempt.devices, FromText(attempt.error)));
  py::dict entry;
  entry["attempts"] = attempts;
  entry["runtime_report"] = FromText(outcome.runtime_report);
  entry["operations"] = outcome.operations;
  entry["compilations"] = outcome.compilations;
  entry["runs"] = outcome.runs;
  return entry;
}

}  // namespace

py::list DeviceReports(const LightPredictor& predictor) {
  std::vector<BlockOpReport> reports;
  {
    const GilReleased released;
    reports = predictor.DeviceReports();
  }
  py::list list;
  for (const BlockOpReport& report : reports) {
    py::list outcomes;
    for (const CompileOutcome& outcome : report.outcomes) outcomes.append(ToDict(outcome));
    py::dict entry;
    entry["block"] = report.block;
    entry["outcomes"] = outcomes;
    entry["programs"] = report.programs;
    entry["runs"] = report.runs;
    entry["compile_ms"] = report.compile_ms;
    entry["run_ms"] = report.run_ms;
    entry["input_bytes"] = report.input_bytes;
    entry["output_bytes"] = report.output_bytes;
    list.append(entry);
  }
  return list;
}

void BindDevices(py::module_& module) {
  module.def("check_support", &CheckSupport, py::arg("program"), py::arg("params"),
             py::arg("block"), py::arg("clusters"), py::arg("settings"),
             py::arg("input_shapes") = std::map<std::string, std::vector<int64_t>>{},
             py::arg("declaration_only") = false,
             py::arg("op_versions") = std::map<std::string, int>{},
             "Reasons, by position in the block, of the operators in `clusters` that cannot go to "
             "any of the devices.");
  module.def(
      "require_device",
      [](const std::string& name) {
        NNAdapterDevice* device = nullptr;
        bridge::CheckNNAdapter(
            bridge::LoadNNAdapter().NNAdapterDevice_acquire(name.c_str(), &device),
            StrCat("find the device '", name, "'"));
        bridge::LoadNNAdapter().NNAdapterDevice_release(device);
      },
      py::arg("name"), Unlocked(), "Raises DeviceError unless the device can be used.");
  module.def(
      "describe_devices",
      [](const py::dict& settings) {
        DeviceSettings devices = ToDeviceSettings(settings);
        const GilReleased released;
        return bridge::DeviceSession(std::move(devices)).DescribeContext();
      },
      py::arg("settings"),
      "The devices of a context as JSON (NNAdapterContext_getReport); empty where the runtime "
      "cannot say.");
}

}  // namespace paddle::lite::python
