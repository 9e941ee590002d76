// The table of NNAPI's operations; made of table.py by the build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nnadapter::nnapi {

struct OperandCodeInfo {
  const char* name;
  bool tensor;
  size_t size;
  bool scaled;      // needs a scale
  bool asymmetric;  // may have a zero point:
  int32_t least_zero_point, most_zero_point;
};

// One operand of a signature. Operands of one variable (from 1 on) have one type.
struct Word {
  uint32_t types;  // a bit for each operand code
  uint8_t variable;
  bool repeated;
};

struct Signature {
  std::vector<Word> inputs, outputs;
  size_t required;  // inputs from there on may be left away, one after the other
};

struct OperationInfo {
  const char* name;
  int level;
  std::vector<Signature> signatures;
};

extern const uint64_t kDefaultLoopTimeout, kMaximumLoopTimeout;  // ns

// Null where there is no such code.
const OperandCodeInfo* FindOperandCode(int32_t code);
const OperationInfo* FindOperation(int32_t code);
const char* ResultName(int32_t code);

}  // namespace nnadapter::nnapi
