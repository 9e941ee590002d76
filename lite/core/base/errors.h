// Every error of the framework; the names and meanings are those of lite/errors.py.
#pragma once

#include <cstddef>
#include <exception>
#include <ostream>
#include <string>
#include <utility>

namespace paddle::lite {

// What streams, without its type: one function that writes it for a type, not for a message.
class TextPiece {
 public:
  template <typename T>
  explicit TextPiece(const T& value)
      : value_(&value),
        write_([](std::ostream& out, const void* from) { out << *static_cast<const T*>(from); }) {}
  template <size_t size>
  explicit TextPiece(const char (&text)[size])
      : value_(text),
        write_([](std::ostream& out, const void* from) { out << static_cast<const char*>(from); }) {
  }
  void Write(std::ostream& out) const { write_(out, value_); }

 private:
  const void* value_;
  void (*write_)(std::ostream&, const void*);
};

std::string JoinPieces(const TextPiece* pieces, size_t count);

// Concatenates anything that streams into one string.
template <typename... Parts>
std::string StrCat(const Parts&... parts) {
  const TextPiece pieces[] = {TextPiece(parts)...};
  return JoinPieces(pieces, sizeof...(parts));
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
