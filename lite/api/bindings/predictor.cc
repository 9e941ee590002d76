#include "lite/api/bindings/module.h"
#include "lite/api/bindings/signals.h"
#include "lite/api/light_predictor.h"

namespace paddle::lite::python {
namespace {

using PredictorPtr = std::shared_ptr<LightPredictor>;
using Unlocked = py::call_guard<GilReleased>;

PredictorPtr FromProgram(const py::bytes& program, const py::dict& arrays,
                         const py::dict& settings) {
  const std::string_view bytes = program;
  ParamTable params = ToParams(arrays);
  const LoadSettings load = ToLoadSettings(settings);
  const GilReleased released;
  return LightPredictor::FromProgram(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(),
                                     std::move(params), load);
}

PredictorPtr FromFile(const std::string& path, const py::dict& settings) {
  const LoadSettings load = ToLoadSettings(settings);
  const GilReleased released;
  return LightPredictor::FromFile(path, load);
}

PredictorPtr FromBytes(const py::bytes& file, const py::dict& settings) {
  const LoadSettings load = ToLoadSettings(settings);
  const std::string_view bytes = file;
  // Python's bytes never change or move.
  std::shared_ptr<void> holder = KeepAlive(file);
  const GilReleased released;
  return LightPredictor::FromBuffer(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(),
                                    std::move(holder), load);
}

py::list Describe(const std::vector<VarDesc>& descs) {
  py::list list;
  for (const VarDesc& desc : descs) {
    const bool known = IsDataType(desc.data_type);
    list.append(py::make_tuple(
        desc.name, py::tuple(py::cast(desc.dims)),
        known ? py::object(py::str(Name(static_cast<DataType>(desc.data_type)))) : py::none()));
  }
  return list;
}

void SetInput(LightPredictor& predictor, size_t index, py::array array, const LoD& lod) {
  const Feed feed = ToFeed(&array, lod);
  const GilReleased released;
  predictor.SetInput(index, feed);
}

py::tuple MetaTuple(const TensorMeta& meta) {
  return py::make_tuple(py::tuple(py::cast(meta.dims.Vectorize())), Name(meta.dtype), meta.lod);
}

void Run(LightPredictor& predictor) {
  Interruptible([&](const Poll& poll) { predictor.Run(poll); });
}

py::list RunWith(LightPredictor& predictor, std::vector<std::pair<py::array, LoD>> inputs) {
  std::vector<Feed> feeds;
  for (auto& [array, lod] : inputs) feeds.push_back(ToFeed(&array, lod));
  std::vector<Tensor> outputs;
  Interruptible([&](const Poll& poll) { outputs = predictor.Run(feeds, poll); });
  py::list result;
  for (Tensor& output : outputs) {
    const LoD lod = output.lod();
    result.append(py::make_tuple(HandOver(std::move(output)), lod));
  }
  return result;
}

void SavePacked(LightPredictor& predictor, const std::string& model_path, const std::string& path,
                std::vector<std::pair<py::array, LoD>> inputs) {
  std::vector<Feed> feeds;
  for (auto& [array, lod] : inputs) feeds.push_back(ToFeed(&array, lod));
  Interruptible([&](const Poll& poll) { predictor.SavePacked(model_path, path, feeds, poll); });
}

template <Tensor (LightPredictor::*Copy)(size_t) const>
py::array CopyToArray(const LightPredictor& predictor, size_t index) {
  Tensor copy;
  {
    const GilReleased released;
    copy = (predictor.*Copy)(index);
  }
  return HandOver(std::move(copy));
}

template <TensorMeta (LightPredictor::*Meta)(size_t) const>
py::tuple MetaOfIndex(const LightPredictor& predictor, size_t index) {
  TensorMeta meta;
  {
    const GilReleased released;
    meta = (predictor.*Meta)(index);
  }
  return MetaTuple(meta);
}

}  // namespace

void BindPredictor(py::module_& module) {
  py::class_<LightPredictor, PredictorPtr>(module, "Predictor",
                                           "Runs a program; safe to use from several threads.")
      .def_static("from_file", &FromFile, py::arg("path"), py::arg("settings") = py::dict())
      .def_static("from_bytes", &FromBytes, py::arg("file"), py::arg("settings") = py::dict())
      .def_static("from_program", &FromProgram, py::arg("program"), py::arg("params"),
                  py::arg("settings") = py::dict())
      .def("device_reports", &LightPredictor::DeviceReports, Unlocked(),
           "How each subgraph is doing.")
      .def("clone", &LightPredictor::Clone, Unlocked())
      .def("run", &Run)
      .def("cancel", &LightPredictor::Cancel,
           "Stops the run that another thread is in; it raises CancelledError.")
      .def("show_declared_shapes", &LightPredictor::ShowDeclaredShapes, Unlocked(),
           "Inputs and outputs have the declared shapes until they are set or computed.")
      .def("run_with", &RunWith, py::arg("inputs"),
           "Sets all inputs ([(array, lod)]), runs and returns all outputs likewise; no other "
           "thread comes between.")
      .def(
          "inputs", [](const LightPredictor& p) { return Describe(p.inputs()); },
          "(name, dims, dtype) of each input, in order; dims of -1 are unknown.")
      .def("outputs", [](const LightPredictor& p) { return Describe(p.outputs()); })
      .def("set_input", &SetInput, py::arg("index"), py::arg("array"), py::arg("lod") = LoD{})
      .def("resize_input",
           [](LightPredictor& p, size_t index, const std::vector<int64_t>& dims) {
             const GilReleased released;
             p.ResizeInput(index, DDim(dims));
           })
      .def("set_input_lod", &LightPredictor::SetInputLoD, Unlocked())
      .def("input_meta", &MetaOfIndex<&LightPredictor::InputMeta>, "(shape, dtype, lod)")
      .def("output_meta", &MetaOfIndex<&LightPredictor::OutputMeta>, "(shape, dtype, lod)")
      .def("copy_input", &CopyToArray<&LightPredictor::CopyInput>)
      .def("copy_output", &CopyToArray<&LightPredictor::CopyOutput>)
      .def("stored_problem", &LightPredictor::stored_problem,
           "Why the packed weights beside the model's file were not used, or an empty text.")
      .def("save_packed", &SavePacked, py::arg("model_path"), py::arg("path"), py::arg("inputs"),
           "Runs with the inputs and writes the packed weights of the model at `model_path`.")
      .def("threads", &LightPredictor::threads, Unlocked())
      .def("set_threads", &LightPredictor::set_threads, py::arg("threads"), Unlocked())
      .def(
          "set_power_mode",
          [](LightPredictor& predictor, int mode) {
            predictor.set_power_mode(static_cast<PowerMode>(mode));
          },
          py::arg("mode"), Unlocked())
      .def("arena_bytes", &LightPredictor::arena_bytes, Unlocked(),
           "Bytes of the memory that intermediate results share.")
      .def("shapes_depend_on_data", &LightPredictor::shapes_depend_on_data, Unlocked(),
           "Whether an operator's output shape depends on its input's data.");
}

}  // namespace paddle::lite::python
