// Every error of the framework; the names and meanings are those of lite/errors.py.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace paddle::lite {

// Concatenates anything that streams into one string.
template <typename... Parts>
std::string StrCat(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

// Base of all errors. A message says what, where, what was expected and what to do.
class LiteError : public std::exception {
 public:
  explicit LiteError(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }
  virtual const char* kind() const noexcept { return "LiteError"; }
  // Says where an error happened once it leaves the place that knows only what happened.
  void AddContext(const std::string& where) { message_ = where + ": " + message_; }

 private:
  std::string message_;
};

#define LITE_DEFINE_ERROR(Name)                                  \
  class Name : public LiteError {                                \
   public:                                                       \
    using LiteError::LiteError;                                  \
    const char* kind() const noexcept override { return #Name; } \
  }

LITE_DEFINE_ERROR(ModelFormatError);
LITE_DEFINE_ERROR(UnsupportedOperatorError);
LITE_DEFINE_ERROR(ShapeError);
LITE_DEFINE_ERROR(DataTypeError);
LITE_DEFINE_ERROR(ConfigError);
LITE_DEFINE_ERROR(DeviceError);
LITE_DEFINE_ERROR(CancelledError);

#undef LITE_DEFINE_ERROR

}  // namespace paddle::lite
