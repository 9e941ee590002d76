#include "lite/api/python/signals.h"

namespace paddle::lite::python {

bool Signals::Raised() {
  if (!is_main_ || !Py_IsInitialized()) return false;
  const GilAcquired gil;
  try {
    const py::module_ threading = py::module_::import("threading");
    const py::object main = threading.attr("main_thread")().attr("ident");
    is_main_ = main.equal(threading.attr("get_ident")());
    if (is_main_ && PyErr_CheckSignals() != 0) throw py::error_already_set();
  } catch (py::error_already_set&) {
    error_ = std::current_exception();
  }
  return error_ != nullptr;
}

void Signals::Rethrow() {
  if (error_) std::rethrow_exception(error_);
}

}  // namespace paddle::lite::python
