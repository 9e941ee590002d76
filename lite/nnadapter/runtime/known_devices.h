// What the drivers of public HALs take, for those that cannot be asked (public Paddle Lite tree,
// develop, 2024-03-28).
#pragma once

#include <string>
#include <vector>

#include "nnadapter/core/types.h"

namespace nnadapter::runtime {

// Whether there is a list for a device of this name.
bool IsKnownDevice(const std::string& name);

// Whether such a device takes each operation of a model, in the model's order.
std::vector<bool> KnownDeviceTakes(const std::string& name, const core::Model& model);

}  // namespace nnadapter::runtime
