// A device under test, by the C API.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "lite/nnadapter/device_test/case_file.h"

namespace device_test {

enum class Outcome : uint32_t { kPassed, kFailed, kNotTaken };

struct Verdict {
  Outcome outcome;
  std::string why;
};

// A function of the C API returned an error.
class ApiError : public std::runtime_error {
 public:
  ApiError(const std::string& function, int code);
  int code;
};

class Bench {
 public:
  // ApiError where the device cannot be opened.
  Bench(const std::string& device, const std::string& properties);
  ~Bench();
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  // Compiles a case and runs it twice; `stage` is told what comes next.
  Verdict Run(const Case& given, const std::function<void(const char*)>& stage);

 private:
  NNAdapterDevice* device_ = nullptr;
  NNAdapterContext* context_ = nullptr;
};

}  // namespace device_test
