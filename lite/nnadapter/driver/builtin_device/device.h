// builtin_device: the CPU as an NNAdapter device. A model is lowered to the graph that the plan
// takes, so it has the plan's fusion, layouts, memory and packed weights.
#pragma once

#include "nnadapter/driver/device.h"

namespace nnadapter::builtin_device {

const driver::Device* Get();

}  // namespace nnadapter::builtin_device
