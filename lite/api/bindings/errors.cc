#include "lite/core/base/errors.h"

#include <cstring>

#include "lite/api/bindings/module.h"
#include "lite/api/bindings/python_error.h"
#include "lite/core/naive_buffer.h"

namespace paddle::lite::python {

namespace {

// Messages may quote bytes of a damaged file.
py::object Text(const char* message) {
  return py::reinterpret_steal<py::object>(PyUnicode_DecodeUTF8(
      message, static_cast<Py_ssize_t>(std::strlen(message)), "backslashreplace"));
}

}  // namespace

// The classes are Python's own (lite/errors.py), found by name when an error is raised.
void BindErrors(py::module_&) {
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const FileError& error) {
      // OSError picks FileNotFoundError, PermissionError, ... by the number.
      const py::object type = py::reinterpret_borrow<py::object>(PyExc_OSError);
      const py::object value = type(error.code(), Text(error.what()));
      PyErr_SetObject(py::type::of(value).ptr(), value.ptr());
    } catch (const PythonError& error) {
      error.Raise();
    } catch (const LiteError& error) {
      const py::object type = py::module_::import("lite.errors").attr(error.kind());
      PyErr_SetObject(type.ptr(), Text(error.what()).ptr());
    }
  });
}

}  // namespace paddle::lite::python
