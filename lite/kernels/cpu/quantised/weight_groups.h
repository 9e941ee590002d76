// What matmul_nbits and expert_matmul share: weights in integers, with scales in blocks.
#pragma once

#include <string>

#include "lite/core/kernel.h"

namespace paddle::lite {

// What packed weights depend on besides the integers: the scales, the zero points, and how many
// bits an integer has.
std::string WeightGroupsText(const KernelContext& c);

}  // namespace paddle::lite
