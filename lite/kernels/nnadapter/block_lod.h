// What LoD a block's outputs have: devices know no sequences.
#pragma once

#include <vector>

#include "lite/kernels/nnadapter/compiled_block.h"

namespace paddle::lite::nnadapter_bridge {

// By position among the data outputs, as the CPU's operators would hand it on. An operator whose
// shapes cannot be inferred hands on that of its first input with one.
std::vector<LoD> OutputLoDs(const BlockSource& source, const std::vector<const Tensor*>& inputs);

}  // namespace paddle::lite::nnadapter_bridge
