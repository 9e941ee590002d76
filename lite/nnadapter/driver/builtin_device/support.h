// Which operations builtin_device takes.
#pragma once

#include <string>

#include "nnadapter/core/types.h"

namespace nnadapter::builtin_device {

// Why builtin_device does not take an operation: it cannot be lowered, or its CPU operators refuse
// what is known of the types and shapes of its operands. Empty where it takes it.
std::string RefusalOf(const core::Operation& operation);

}  // namespace nnadapter::builtin_device
