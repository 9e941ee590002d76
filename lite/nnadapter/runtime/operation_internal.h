// What the files that read operations share.
#pragma once

#include <string_view>
#include <vector>

#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {

// Where the operands of a declared name stand: [first, first + count).
struct Range {
  size_t first = 0, count = 0;
};

Range RangeOf(const std::vector<OperandInfo>& declared, size_t given, std::string_view name);

// A constant with its value; a list of shape [0] needs none.
bool IsConstantOperand(const core::Operand& operand);
// The elements of a constant as int64.
std::vector<int64_t> ReadIntegers(const core::Operand& operand);

}  // namespace nnadapter::runtime
