// transpose and transpose2.
#pragma once

#include "lite/kernels/cpu/data_movement.h"

namespace paddle::lite {

void InferTranspose(InferContext& c, bool has_xshape);
void Transpose(KernelContext& c);

}  // namespace paddle::lite
