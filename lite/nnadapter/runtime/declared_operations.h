// The operations that a driver without validate_program says it takes.
#pragma once

#include <set>
#include <string>

#include "nnadapter/nnadapter.h"

namespace nnadapter::runtime {

// "CONV_2D,RELU" -> codes. Throws Error(INVALID_PARAMETER) naming what is unknown.
std::set<NNAdapterOperationType> ParseOperationList(const std::string& list);
// The list under `supported_operations:` of a YAML file: "- NAME" lines or [A, B].
std::set<NNAdapterOperationType> ParseOperationYaml(const std::string& text);

}  // namespace nnadapter::runtime
