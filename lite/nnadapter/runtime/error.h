// Errors of the runtime: what a C function throws inside and returns outside.
#pragma once

#include <cxxabi.h>

#include <stdexcept>
#include <string>

#include "nnadapter/hal/error.h"

namespace nnadapter::runtime {

class Error : public std::runtime_error {
 public:
  Error(int code, const std::string& text) : std::runtime_error(text), code_(code) {}
  int code() const noexcept { return code_; }

 private:
  int code_;
};

using hal::Text;

template <typename... Parts>
[[noreturn]] void Fail(int code, const Parts&... parts) {
  throw Error(code, Text(parts...));
}

template <typename... Parts>
[[noreturn]] void FailParameter(const Parts&... parts) {
  throw Error(NNADAPTER_INVALID_PARAMETER, Text(parts...));
}

// "INVALID_PARAMETER" of 3.
const char* ResultCodeName(int code);

// The calling thread's last error; see NNAdapter_getLastErrorMessage.
void SetLastError(int code, const std::string& text) noexcept;
int LastErrorCode() noexcept;
const char* LastErrorMessage() noexcept;

// In a catch block: records the exception being handled as `function`'s error; returns its code.
int RecordCurrentException(const char* function) noexcept;
// In a catch block: the text of the exception being handled, whatever its type.
std::string CurrentExceptionText();

// For a thread that is being ended with pthread_exit, as Python ends those that ask for its lock
// while it shuts down: unwinding must not leave a C function, so the thread rests until the
// process is gone.
[[noreturn]] void RestForEver() noexcept;

// Runs `body`; whatever it throws becomes a result code and the thread's last error.
template <typename Body>
int Barrier(const char* function, Body&& body) noexcept {
  try {
    body();
    return NNADAPTER_NO_ERROR;
#ifdef __GLIBCXX__
  } catch (abi::__forced_unwind&) {
    RestForEver();
#endif
  } catch (...) {
    return RecordCurrentException(function);
  }
}

// A warning for the person who runs the program, on stderr where GLOG_v is at least `level`.
void Log(int level, const std::string& text) noexcept;

}  // namespace nnadapter::runtime
