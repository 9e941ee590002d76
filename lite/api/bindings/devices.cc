// NNAdapter devices: settings, the support check and reports.
#include "lite/api/bindings/module.h"
#include "lite/api/light_predictor.h"
#include "lite/kernels/nnadapter/block_shapes.h"
#include "lite/kernels/nnadapter/device_session.h"
#include "lite/kernels/nnadapter/support.h"

namespace paddle::lite::python {
namespace {

namespace bridge = nnadapter_bridge;
using Unlocked = py::call_guard<GilReleased>;

py::dict CheckSupport(const py::object& program, const py::dict& arrays, int block,
                      const std::vector<std::vector<int>>& clusters, const py::dict& settings,
                      const std::map<std::string, std::vector<int64_t>>& input_shapes,
                      bool declaration_only, const std::map<std::string, int>& op_versions,
                      const std::set<std::string>& counted) {
  const ProgramDesc desc = ToProgramDesc(program);
  const ParamTable params = ToParams(arrays);
  const DeviceSettings devices = ToDeviceSettings(settings);
  bridge::SupportQuery query;
  query.program = &desc;
  query.block = block;
  query.params = &params;
  query.input_shapes = input_shapes;
  query.counted = counted;
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

// What follows from complete shapes of what the main block is fed, by variable: its dimensions, and
// its elements where they are arithmetic on shapes. Empty where a shape is missing.
py::dict InferShapes(const py::object& program, const py::dict& arrays,
                     const std::map<std::string, std::vector<int64_t>>& input_shapes,
                     const std::set<std::string>& counted) {
  const ProgramDesc desc = ToProgramDesc(program);
  const ParamTable params = ToParams(arrays);
  const BlockDesc& block = desc.blocks.at(0);
  std::map<std::string, const VarDesc*> vars;
  for (const VarDesc& var : block.vars) vars.emplace(var.name, &var);
  bridge::BlockShapes shapes(counted);
  py::dict result;
  if (!shapes.SetInputs(block, vars, params, input_shapes)) return result;
  for (const OpDesc& op : block.ops) {
    if (op.type == "feed" || op.type == "fetch") continue;
    shapes.InferOrForget(op);
    for (const auto& [slot, names] : op.outputs)
      for (const std::string& name : names) {
        const TensorMeta* meta = shapes.Find(name);
        const Tensor* data = shapes.DataOf(name);
        if (meta != nullptr)
          result[FromText(name)] = py::make_tuple(meta->dims.Vectorize(),
                                                  data ? py::object(ToArray(*data)) : py::none());
        else
          result.attr("pop")(FromText(name), py::none());
      }
  }
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
    else if (name == "padded_axes")
      settings.padded_axes = py::cast<std::map<std::string, std::vector<int>>>(value);
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
  const py::object kept = devices.attr("pop")("kept", py::list());
  LoadSettings settings(ToDeviceSettings(devices));
  settings.kept = py::cast<std::vector<std::string>>(kept);
  settings.use_stored = py::cast<bool>(use_stored);
  settings.precision = PrecisionNamed(py::cast<std::string>(precision));
  return settings;
}

namespace {

void BindReports(py::module_& module) {
  py::class_<DeviceProgram>(module, "DeviceProgram", "What one device runs of a subgraph.")
      .def_readonly("device", &DeviceProgram::device)
      .def_readonly("create_ms", &DeviceProgram::create_ms)
      .def_readonly("operations", &DeviceProgram::operations);
  py::enum_<RuntimeReport::Cache>(module, "Cache", "What became of a subgraph's cache.")
      .value("NONE", RuntimeReport::Cache::kNone)
      .value("USED", RuntimeReport::Cache::kUsed)
      .value("WRITTEN", RuntimeReport::Cache::kWritten)
      .value("NOT_WRITTEN", RuntimeReport::Cache::kNotWritten)
      .value("REFUSED", RuntimeReport::Cache::kRefused);
  py::class_<RuntimeReport>(module, "RuntimeReport", "The runtime's account of a compilation.")
      .def_readonly("cache", &RuntimeReport::cache)
      .def_property_readonly("cache_text",
                             [](const RuntimeReport& r) { return FromText(r.cache_text); })
      .def_readonly("programs", &RuntimeReport::programs);
  py::class_<CompileAttempt>(module, "CompileAttempt")
      .def_readonly("devices", &CompileAttempt::devices)
      .def_property_readonly("error", [](const CompileAttempt& a) { return FromText(a.error); });
  py::class_<CompileOutcome>(module, "CompileOutcome", "How compilations of a subgraph ended.")
      .def_readonly("attempts", &CompileOutcome::attempts)
      .def_readonly("runtime", &CompileOutcome::runtime)
      .def_readonly("operations", &CompileOutcome::operations)
      .def_readonly("compilations", &CompileOutcome::compilations)
      .def_readonly("runs", &CompileOutcome::runs);
  py::class_<SubgraphReport>(module, "SubgraphReport", "How a subgraph is doing.")
      .def_readonly("block", &SubgraphReport::block)
      .def_readonly("outcomes", &SubgraphReport::outcomes)
      .def_readonly("programs", &SubgraphReport::programs)
      .def_readonly("runs", &SubgraphReport::runs)
      .def_readonly("padded_runs", &SubgraphReport::padded_runs)
      .def_readonly("padding", &SubgraphReport::padding)
      .def_readonly("compile_ms", &SubgraphReport::compile_ms)
      .def_readonly("run_ms", &SubgraphReport::run_ms)
      .def_readonly("input_bytes", &SubgraphReport::input_bytes)
      .def_readonly("output_bytes", &SubgraphReport::output_bytes);
}

}  // namespace

void BindDevices(py::module_& module) {
  BindReports(module);
  module.def("check_support", &CheckSupport, py::arg("program"), py::arg("params"),
             py::arg("block"), py::arg("clusters"), py::arg("settings"),
             py::arg("input_shapes") = std::map<std::string, std::vector<int64_t>>{},
             py::arg("declaration_only") = false,
             py::arg("op_versions") = std::map<std::string, int>{},
             py::arg("counted") = std::set<std::string>{},
             "Reasons, by position in the block, of the operators in `clusters` that cannot go to "
             "any of the devices.");
  module.def("infer_shapes", &InferShapes, py::arg("program"), py::arg("params"),
             py::arg("input_shapes"), py::arg("counted"),
             "What follows from complete shapes of the inputs.");
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
