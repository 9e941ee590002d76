#include "lite/api/bindings/python_error.h"

namespace paddle::lite::python {

std::shared_ptr<py::object> KeepObject(py::object object) {
  return {new py::object(std::move(object)), [](py::object* held) {
            if (!Py_IsInitialized()) return;
            const GilAcquired gil;
            delete held;
          }};
}

PythonError::PythonError(const py::error_already_set& error)
    : LiteError(py::str(error.value())), value_(KeepObject(error.value())) {}

void PythonError::Raise() const {
  const py::object& value = *static_cast<py::object*>(value_.get());
  const py::object type = py::type::of(value);
  const py::object base = py::module_::import("lite.errors").attr("LiteError");
  if (!py::isinstance(value, base)) return PyErr_SetObject(type.ptr(), value.ptr());
  const py::object raised = type(what());
  const py::object cause = value.attr("__cause__");
  if (!cause.is_none()) raised.attr("__cause__") = cause;
  PyErr_SetObject(type.ptr(), raised.ptr());
}

}  // namespace paddle::lite::python
