// Ctrl-C, and any other signal with a Python handler, while a run goes on without Python's lock.
#pragma once

#include <exception>

#include "lite/api/bindings/module.h"
#include "lite/core/run_scope.h"

namespace paddle::lite::python {

// For the module that is being imported: what Signals asks for who is the main thread.
void FindMainThread();

class Signals {
 public:
  // Lets Python's handlers run; true where one raised (KeyboardInterrupt).
  bool Raised();
  // Throws what the handler raised.
  void Rethrow();

 private:
  bool is_main_ = true;  // Python's handlers run on its main thread only
  std::exception_ptr error_;
};

// Calls run(poll) without the lock.
template <typename Run>
void Interruptible(Run&& run) {
  Signals signals;
  try {
    const GilReleased released;
    run([&signals] { return signals.Raised(); });
  } catch (...) {
    signals.Rethrow();
    throw;
  }
  signals.Rethrow();
}

}  // namespace paddle::lite::python
