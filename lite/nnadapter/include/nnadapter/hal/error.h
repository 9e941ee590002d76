// What a HAL throws, and how it logs. The callbacks of device.h turn exceptions into codes.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <string>

#include "nnadapter/nnadapter.h"

namespace nnadapter {
namespace hal {

// Its parts as one text: Text("axis ", 3).
template <typename... Parts>
std::string Text(const Parts&... parts) {
  std::ostringstream stream;
  stream.imbue(std::locale::classic());  // whatever the application's is
  (void)(stream << ... << parts);
  return stream.str();
}

// An error with the code that the caller of the callback gets.
class Error : public std::runtime_error {
 public:
  Error(int code, const std::string& text) : std::runtime_error(text), code(code) {}
  const int code;
};

// The program does not take inputs of these shapes: the caller compiles again for them.
class InvalidDimensions : public Error {
 public:
  explicit InvalidDimensions(const std::string& text) : Error(NNADAPTER_INVALID_DIMENSIONS, text) {}
};

// The model, a property or an argument is not what its definition demands.
class InvalidParameter : public Error {
 public:
  explicit InvalidParameter(const std::string& text) : Error(NNADAPTER_INVALID_PARAMETER, text) {}
};

// The device cannot do this.
class NotSupported : public Error {
 public:
  explicit NotSupported(const std::string& text) : Error(NNADAPTER_FEATURE_NOT_SUPPORTED, text) {}
};

// The device, or the library that drives it, failed.
class DeviceFailure : public Error {
 public:
  explicit DeviceFailure(const std::string& text) : Error(NNADAPTER_DEVICE_INTERNAL_ERROR, text) {}
};

// The environment variable GLOG_v: 0 logs errors only.
inline int LogLevel() {
  const char* level = std::getenv("GLOG_v");
  return level ? std::atoi(level) : 0;
}

// One line to stderr where GLOG_v is at least `level`.
template <typename... Parts>
void Trace(int level, const Parts&... parts) {
  if (LogLevel() >= level) std::fprintf(stderr, "%s\n", Text(parts...).c_str());
}

}  // namespace hal
}  // namespace nnadapter
