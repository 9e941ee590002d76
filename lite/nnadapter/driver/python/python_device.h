// Devices whose HAL is a Python object: the callbacks of driver::Device, each of which takes
// Python's lock, calls the object and turns what comes back, or an exception, into a result.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "nnadapter/driver/device.h"

namespace nnadapter::python {

namespace py = pybind11;

// The device's C contract over `hal`, an instance of lite.nnadapter.bridge.Device, which stays
// alive. Never freed: a context may outlive the registration. Throws std::runtime_error where 256
// devices exist. Needs Python's lock.
const driver::Device* MakeDevice(const std::string& name, const std::string& vendor, int type,
                                 py::object hal);

}  // namespace nnadapter::python
