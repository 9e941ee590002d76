// What the functions of NNAPI throw inside and return outside, and which parts of the table they
// check.
#pragma once

#include <android/NeuralNetworksTypes.h>

#include <stdexcept>
#include <string>

#include "nnadapter/hal/error.h"

namespace nnadapter::nnapi {

using hal::Text;

class Error : public std::runtime_error {
 public:
  Error(int code, const std::string& text) : std::runtime_error(text), code_(code) {}
  int code() const noexcept { return code_; }

 private:
  int code_;
};

template <typename... Parts>
[[noreturn]] void Fail(int code, const Parts&... parts) {
  throw Error(code, Text(parts...));
}

template <typename... Parts>
[[noreturn]] void FailData(const Parts&... parts) {
  Fail(ANEURALNETWORKS_BAD_DATA, parts...);
}

template <typename... Parts>
[[noreturn]] void FailState(const Parts&... parts) {
  Fail(ANEURALNETWORKS_BAD_STATE, parts...);
}

}  // namespace nnadapter::nnapi
