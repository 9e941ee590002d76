// The parts of the Python module `lite._core`; one file each.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>

#include "lite/api/light_predictor.h"
#include "lite/core/attribute.h"
#include "lite/core/program_desc.h"
#include "lite/core/tensor.h"
#include "lite/nnadapter/driver/python/gil.h"

namespace paddle::lite::python {

namespace py = pybind11;

void BindErrors(py::module_& module);
void BindPredictor(py::module_& module);
void BindProfile(py::module_& module);
void BindOperators(py::module_& module);
void BindConversion(py::module_& module);
void BindDevices(py::module_& module);
void BindNaiveBuffer(py::module_& module);
void BindUserOperators(py::module_& module);

// A contiguous array as a tensor's meta (no LoD). Throws DataTypeError naming a dtype that no
// tensor can hold.
TensorMeta MetaOf(const py::array& array);
// `array` becomes a contiguous one and owns what the feed points at.
Feed ToFeed(py::array* array, const LoD& lod);
// A new array that owns the tensor's elements.
py::array ToArray(const Tensor& tensor);
// An array over the tensor's memory, which it owns from now on.
py::array HandOver(Tensor tensor);
py::dtype ToNumpy(DataType dtype);
// A tensor that borrows the array's memory and keeps the array alive.
Tensor BorrowArray(py::array array);
// Holds the object until the last copy goes, on whatever thread that is.
std::shared_ptr<void> KeepAlive(py::object object);
// A str in which what is no UTF-8 stands as surrogates.
py::str FromText(const std::string& text);
// {name: array} as tensors that borrow the arrays.
ParamTable ToParams(const py::dict& arrays);
// A lite.model.program.Program without its parameters.
ProgramDesc ToProgramDesc(const py::handle& program);
// Throws ConfigError for a key that is no setting.
DeviceSettings ToDeviceSettings(const py::dict& settings);
// The same, with "precision" and "use_stored".
LoadSettings ToLoadSettings(const py::dict& settings);
py::object FromAttribute(const Attribute& attribute);
Attribute ToAttribute(const py::handle& value);

}  // namespace paddle::lite::python
