// What profiles are made of: operators' records, their events, and the machine's measured peak.
#include "lite/api/bindings/module.h"
#include "lite/api/bindings/signals.h"
#include "lite/api/machine_peak.h"
#include "lite/core/run_recorder.h"

namespace paddle::lite::python {
namespace {

const char* LayoutName(DataLayoutType layout) {
  return layout == DataLayoutType::kNHWC   ? "nhwc"
         : layout == DataLayoutType::kNCHW ? "nchw"
                                           : "any";
}

const char* KindName(OperatorRecord::Kind kind) {
  constexpr const char* kNames[] = {"run", "planning", "operator", "block"};
  return kNames[static_cast<int>(kind)];
}

py::str Text(std::string_view text) { return FromText(std::string(text)); }

py::array_t<int64_t> Events(const RunRecorder& recorder) {
  const auto& events = recorder.events();
  py::array_t<int64_t> rows({static_cast<py::ssize_t>(events.size()), py::ssize_t{4}});
  int64_t* to = rows.mutable_data();
  for (const OperatorEvent& event : events) {
    *to++ = event.record;
    *to++ = event.parent;
    *to++ = event.start_ns;
    *to++ = event.end_ns;
  }
  return rows;
}

RunRecorder Profile(LightPredictor& predictor, std::vector<std::pair<py::array, LoD>> inputs,
                    int warmup, int runs) {
  std::vector<Feed> feeds;
  for (auto& [array, lod] : inputs) feeds.push_back(ToFeed(&array, lod));
  RunRecorder recorder;
  Interruptible([&](const Poll& poll) { recorder = predictor.Profile(feeds, warmup, runs, poll); });
  return recorder;
}

MachinePeak Measure(int threads) {
  const GilReleased released;
  return MeasurePeak(threads);
}

}  // namespace

void BindProfile(py::module_& module) {
  py::class_<TensorRecord>(module, "TensorRecord", "A tensor as an operator had it.")
      .def_property_readonly("slot", [](const TensorRecord& r) { return Text(r.slot); })
      .def_property_readonly(
          "shape", [](const TensorRecord& r) { return py::tuple(py::cast(r.dims.Vectorize())); })
      .def_property_readonly("dtype", [](const TensorRecord& r) { return Name(r.dtype); })
      .def_property_readonly("layout", [](const TensorRecord& r) { return LayoutName(r.layout); })
      .def_readonly("constant", &TensorRecord::constant);
  py::class_<OperatorRecord>(module, "OperatorRecord", "An operator with the shapes that it had.")
      .def_property_readonly("kind", [](const OperatorRecord& r) { return KindName(r.kind); })
      .def_property_readonly("type", [](const OperatorRecord& r) { return Text(r.type); })
      .def_property_readonly("where", [](const OperatorRecord& r) { return Text(r.where); })
      .def_property_readonly("precision",
                             [](const OperatorRecord& r) { return static_cast<int>(r.precision); })
      .def_property_readonly("layout", [](const OperatorRecord& r) { return LayoutName(r.layout); })
      .def_property_readonly("alias", [](const OperatorRecord& r) { return Text(r.alias); })
      .def_property_readonly("algorithm",
                             [](const OperatorRecord& r) { return r.choice.algorithm; })
      .def_property_readonly("reason",
                             [](const OperatorRecord& r) { return Text(r.choice.reason); })
      .def_readonly("inputs", &OperatorRecord::inputs)
      .def_readonly("outputs", &OperatorRecord::outputs)
      .def_property_readonly("steps", [](const OperatorRecord& r) {
        py::list steps;
        for (const std::string_view step : r.steps) steps.append(Text(step));
        return steps;
      });
  py::class_<RunRecorder>(module, "RunRecord", "What operators did in runs of one predictor.")
      .def_property_readonly("records", &RunRecorder::records, py::return_value_policy::copy)
      .def("events", &Events,
           "A row each: position of the record (-1: it did not end) and of the event that it is "
           "part of (-1: none), start and end in nanoseconds.")
      .def_property_readonly("dropped", &RunRecorder::dropped,
                             "Events beyond the limit, which were not kept.");
  module.def("profile", &Profile, py::arg("predictor"), py::arg("inputs"), py::arg("warmup"),
             py::arg("runs"),
             "Runs with the inputs ([(array, lod)], or [] for those that are set), first `warmup` "
             "times unrecorded.");
  module.def(
      "measure_peak",
      [](int threads) {
        const MachinePeak peak = Measure(threads);
        py::list streams;
        for (const auto& stream : peak.streams)
          streams.append(py::make_tuple(stream.bytes, stream.gigabytes));
        return py::make_tuple(peak.gflops, streams);
      },
      py::arg("threads"), "(GFLOPS of fp32 products, [(bytes, GB/s of a copy of that size)]).");
}

}  // namespace paddle::lite::python
