#include <pybind11/stl.h>

#include <string>

#include "lite/nnadapter/driver/python/convert.h"
#include "lite/nnadapter/driver/python/execution.h"
#include "lite/nnadapter/driver/python/gil.h"
#include "lite/nnadapter/driver/python/python_device.h"
#include "lite/nnadapter/runtime/device_manager.h"

LITE_PYTHON_MODULE(_nnadapter, module) {
  namespace py = pybind11;
  using paddle::lite::python::GilReleased;
  paddle::lite::python::FindNumpy();
  module.doc() =
      "Devices of NNAdapter whose HAL is written in Python; its executions on numpy arrays.";
  module.def(
      "register_device",
      [](const std::string& name, const std::string& vendor, int type, py::object hal) {
        const auto* device = nnadapter::python::MakeDevice(name, vendor, type, std::move(hal));
        const GilReleased released;
        nnadapter::runtime::RegisterDevice(device);
      },
      py::arg("name"), py::arg("vendor"), py::arg("type"), py::arg("hal"),
      "Makes a device of a lite.nnadapter.bridge.Device and gives it to the runtime.");
  module.def(
      "unregister_device",
      [](const std::string& name) {
        const GilReleased released;
        nnadapter::runtime::UnregisterDevice(name.c_str());
      },
      py::arg("name"), "The runtime no longer finds the device; what uses it goes on.");
  module.def("compute", &nnadapter::python::Compute, py::arg("handle"), py::arg("inputs"),
             py::arg("outputs"),
             "Computes an NNAdapterExecution on contiguous arrays, outputs of these dtypes: (the "
             "function that failed or '', its code, what was wrong with an output or '', arrays).");
}
