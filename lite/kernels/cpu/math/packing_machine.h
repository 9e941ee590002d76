// What the packings of this process depend on besides the weights.
#pragma once

#include <string>

#include "lite/core/base/weight_memory.h"

namespace paddle::lite::math {

// Instruction set, sizes of the microkernels, settings: packed weights that were made where this
// text is another one cannot be used here.
std::string PackingMachine(WeightPrecision precision);

}  // namespace paddle::lite::math
