// The cases that `lite device-test --export FILE` wrote; docs in case_file.cc.
#pragma once

#include <stdint.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "nnadapter/nnadapter.h"

namespace device_test {

// What is wrong with the file, and where.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Role : uint8_t { kInput = 0, kConstant = 1, kOutput = 2 };

struct Operand {
  Role role;
  int32_t precision;  // NNADAPTER_UNKNOWN with no dimensions: to be inferred
  std::vector<int32_t> dims;
  std::vector<float> scales;  // none where it is not quantised
  int32_t channel_dim;
  int32_t zero_point;
  std::vector<uint8_t> bytes;  // of inputs and constants
};

// What an output must be; one of the arrays has the elements.
struct Expected {
  std::vector<int32_t> dims;
  std::vector<double> reals;
  std::vector<int64_t> integers;
};

// One operation.
struct Case {
  std::string name;
  std::string operation;
  int32_t type;
  double tolerance;  // of reals, relative to the largest
  int32_t levels;    // by which integers may differ
  std::vector<Operand> operands;
  std::vector<int32_t> inputs;  // operands; -1 is absent
  std::vector<int32_t> outputs;
  std::vector<Expected> expected;  // one an output
};

// FileError for anything but a file that is whole.
std::vector<Case> ParseCases(const std::vector<uint8_t>& bytes);
std::vector<Case> ReadCases(const std::string& path);

}  // namespace device_test
