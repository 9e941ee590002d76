// Letting go of Python's lock and taking it again, also while Python shuts down.
#pragma once

#include <cxxabi.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <unistd.h>

#include <utility>

// A module that needs no lock of Python's: docs/threads.md lists what guards what it shares.
#if PYBIND11_VERSION_HEX >= 0x020D0000
#define LITE_PYTHON_MODULE(name, module) PYBIND11_MODULE(name, module, pybind11::mod_gil_not_used())
#else
#define LITE_PYTHON_MODULE(name, module) PYBIND11_MODULE(name, module)
#endif

namespace paddle::lite::python {

// Until the process is gone.
[[noreturn]] inline void Rest() {
  for (;;) pause();
}

// From when Python begins to end.
inline bool PythonIsGone() {
#if PY_VERSION_HEX >= 0x030D0000
  return !Py_IsInitialized() || Py_IsFinalizing();
#else
  return !Py_IsInitialized() || _Py_IsFinalizing();
#endif
}

// Runs what takes the lock, if only now and then, as Python code does. Before 3.14, Python ends a
// daemon thread that asks for the lock during shutdown with pthread_exit, which must not unwind C++
// frames: what they hold of Python's would be let go of without the lock. The thread rests here.
template <typename Take>
void TakeOrRest(Take take) {
#ifdef __GLIBCXX__
  try {
    take();
  } catch (abi::__forced_unwind&) {
    Rest();
  }
#else
  take();
#endif
}

// callable(arguments...); throws error_already_set for what it raises.
template <typename... Arguments>
pybind11::object CallPython(pybind11::handle callable, Arguments&&... arguments) {
  const pybind11::tuple given = pybind11::make_tuple(std::forward<Arguments>(arguments)...);
  PyObject* result = nullptr;
  TakeOrRest([&] { result = PyObject_CallObject(callable.ptr(), given.ptr()); });
  if (result == nullptr) throw pybind11::error_already_set();
  return pybind11::reinterpret_steal<pybind11::object>(result);
}

// For a module that is being imported. pybind11 lets go of the lock when it first looks for numpy,
// and does not rest where it cannot have it back.
inline void FindNumpy() { pybind11::detail::npy_api::get(); }

// Other Python threads run while it lives.
class GilReleased {
 public:
  GilReleased() : state_(PyEval_SaveThread()) {}
  ~GilReleased() {
    TakeOrRest([this] { PyEval_RestoreThread(state_); });
  }
  GilReleased(const GilReleased&) = delete;
  GilReleased& operator=(const GilReleased&) = delete;

 private:
  PyThreadState* state_;
};

// Holds the lock on a thread that may not have it.
class GilAcquired {
 public:
  GilAcquired() {
    // A thread that asks when the states of threads are gone would make itself a new one of
    // nothing.
    if (PythonIsGone() && PyGILState_GetThisThreadState() == nullptr) Rest();
    TakeOrRest([this] { state_ = PyGILState_Ensure(); });
  }
  ~GilAcquired() {
    if (!PyGILState_Check()) Rest();  // pthread_exit unwinds this thread, as above
    PyGILState_Release(state_);
  }
  GilAcquired(const GilAcquired&) = delete;
  GilAcquired& operator=(const GilAcquired&) = delete;

 private:
  PyGILState_STATE state_{};
};

}  // namespace paddle::lite::python
