// Error: what a C API function turns into a result code and a text.
#pragma once

#include <stdexcept>
#include <string>

#include "nnadapter/nnadapter.h"

namespace nnadapter::runtime {

class Error : public std::runtime_error {
 public:
  Error(int code, const std::string& text) : std::runtime_error(text), code_(code) {}
  int code() const noexcept { return code_; }

 private:
  int code_;
};

}  // namespace nnadapter::runtime
