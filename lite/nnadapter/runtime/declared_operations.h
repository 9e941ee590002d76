// The operations that a driver without validate_program takes: as it says itself, or as the lists
// of public HALs say (public Paddle Lite tree, develop, 2024-03-28).
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
// Whether such a device takes each operation of a model, in the model's order.
std::vector<bool> KnownDeviceTakes(const std::string& name, const core::Model& model);

}  // namespace nnadapter::runtime
