// PythonError: what Python code that the runtime called has raised, on its way through C++.
#pragma once

#include <memory>

#include "lite/api/bindings/module.h"
#include "lite/core/base/errors.h"

namespace paddle::lite::python {

// An object that any thread may let go of, also after Python has ended.
std::shared_ptr<py::object> KeepObject(py::object object);

class PythonError : public LiteError {
 public:
  // Holds the lock.
  explicit PythonError(const py::error_already_set& error);
  // Raises it again in Python: a LiteError as a new one with the context that C++ added, anything
  // else (KeyboardInterrupt) as it is.
  void Raise() const;

 private:
  std::shared_ptr<void> value_;  // a py::object
};

}  // namespace paddle::lite::python
