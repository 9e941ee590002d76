#include "lite/api/bindings/signals.h"

namespace paddle::lite::python {

namespace {

// Looked up once: in free-threaded Python every import takes a lock of sys.modules, and a daemon
// thread that has it when Python ends keeps it.
PyObject* main_thread = nullptr;

}  // namespace

void FindMainThread() {
  const py::object function = py::module_::import("threading").attr("main_thread");
  main_thread = function.inc_ref().ptr();
}

bool Signals::Raised() {
  if (!is_main_ || !Py_IsInitialized()) return false;
  const GilAcquired gil;
  try {
    const py::object ident = CallPython(main_thread).attr("ident");
    is_main_ = ident.cast<unsigned long>() == PyThread_get_thread_ident();
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
