// Letting go of Python's lock and taking it again, also while Python shuts down.
#pragma once

#include <cxxabi.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <unistd.h>

namespace paddle::lite::python {

// Takes the lock with `take`. Before 3.14, Python ends a daemon thread that asks for the lock
// during shutdown with pthread_exit, which must not unwind C++ frames: the thread rests here
// until the process is gone.
template <typename Take>
void TakeOrRest(Take take) {
#ifdef __GLIBCXX__
  try {
    take();
  } catch (abi::__forced_unwind&) {
    for (;;) pause();
  }
#else
  take();
#endif
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
    TakeOrRest([this] { state_ = PyGILState_Ensure(); });
  }
  ~GilAcquired() { PyGILState_Release(state_); }
  GilAcquired(const GilAcquired&) = delete;
  GilAcquired& operator=(const GilAcquired&) = delete;

 private:
  PyGILState_STATE state_{};
};

}  // namespace paddle::lite::python
