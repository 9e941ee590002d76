// What is known of drivers that do not say it themselves: the operations that one without
// validate_program takes, as it declares or as the lists of public HALs say (public Paddle Lite
// tree, develop, 2024-03-28), and public HALs' faults.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "nnadapter/core/types.h"

namespace nnadapter::runtime {

// "CONV_2D,RELU" -> codes. Throws Error(INVALID_PARAMETER) naming what is unknown.
std::set<NNAdapterOperationType> ParseOperationList(const std::string& list);
// The list under `supported_operations:` of a YAML file: "- NAME" lines or [A, B].
std::set<NNAdapterOperationType> ParseOperationYaml(const std::string& text);

// Whether there is a list for a device of this name.
bool IsKnownDevice(const std::string& name);
// Why such a device does not take each operation of a model, in the model's order; empty where it
// does.
std::vector<std::string> KnownDeviceRefusals(const std::string& name, const core::Model& model);
// Whether the public HAL of this name restores programs that compute something else.
bool KnownDeviceRestoresWrongly(const std::string& name);

}  // namespace nnadapter::runtime
